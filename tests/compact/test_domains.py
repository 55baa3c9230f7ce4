"""The domain of a list."""

from typing import Any

import pytest
from hypothesis import given

from tests.strategies import values
from toon.compact import DOMAINS, domain_of

LISTS: list[tuple[Any, str | None]] = [
    ([{"id": 1, "title": "a", "start_at": None}], "events"),
    ([{"start_at": "x", "all_day": True}], "events"),
    ([{"title": "a", "content": "b", "tags": []}], "notes"),
    ([{"content": "b", "is_pinned": False}], "notes"),
    ([{"subject": "a", "from_address": "b"}], "emails"),
    ([{"display_name": "a", "emails": []}], "contacts"),
    ([{"name": "a", "company": "b", "email": "c"}], "contacts"),
    ([{"filename": "a", "size_bytes": 1}], "files"),
    ([{"name": "a", "size": 1, "mime_type": None}], "files"),
    ([{"entry_date": "a", "content": "b", "tags": []}], "diary"),
    ([{"domain": "note", "title": "a", "snippet": "b"}], "search"),
    ([{"title": "a", "start_at": None}, {}], "events"),
    ([{"title": "a", "start_at": None}, {}, {}], None),
    ([{"title": "a", "start_at": None}, {"entry_date": "a"}], None),
    ([{"title": "a", "start_at": None}, 1], None),
    ([{"id": 1, "name": "a", "email": "b", "role": "c"}], None),
    ([{"id": 1, "title": "a", "body": "b"}], None), ([{}], None), ([], None),
    ({"start_at": 1, "title": 2}, None), ("events", None),
]  # fmt: skip


@pytest.mark.parametrize(("records", "domain"), LISTS)
def test_the_domain_of_a_list(records: Any, domain: str | None) -> None:
    assert domain_of(records) == domain


@pytest.mark.rest
@given(values)
def test_any_value_has_a_known_domain_or_none(value: Any) -> None:
    assert domain_of(value) in (None, *DOMAINS)
