"""Whom a server asks: anyone for its owner, and for others those that the operator lists."""

from __future__ import annotations

import pytest

from toon.http.asking import allowed_urls
from toon.http.lock import lock_for

OTHERS = [
    ("0.0.0.0", {}),
    ("localhost", {"TOON_HOSTS": "lab.example.org"}),
    ("localhost", {"TOON_TOKEN": "0123456789abcdef"}),
    ("localhost", {"TOON_TOKEN": "off"}),
    (None, {}),
]


def test_on_ones_own_machine_any_endpoint_may_be_asked() -> None:
    assert allowed_urls(lock_for("localhost", {}), {}) is None
    assert allowed_urls(lock_for("127.0.0.1", {}), {"TOON_ASK_URLS": " , "}) is None


@pytest.mark.parametrize(("address", "environment"), OTHERS)
def test_a_server_for_others_asks_only_what_its_operator_lists(
    address: str | None, environment: dict[str, str]
) -> None:
    lock = lock_for(address, environment)
    listed = {"TOON_ASK_URLS": "https://api.example.org/v1, http://10.0.0.5:8000/v1,"}

    assert allowed_urls(lock, environment) == ()
    assert allowed_urls(lock, environment | listed) == (
        "https://api.example.org/v1",
        "http://10.0.0.5:8000/v1",
    )


@pytest.mark.parametrize(
    "url",
    ["api.example.org", "ftp://a.example", "http://", "https://me:key@a.example", "http://[a"],
)
def test_a_list_that_cannot_be_is_an_error(url: str) -> None:
    with pytest.raises(ValueError, match="TOON_ASK_URLS must list base URLs such as https://api"):
        allowed_urls(lock_for("localhost", {}), {"TOON_ASK_URLS": f"https://b.example,{url}"})
