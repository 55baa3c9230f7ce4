"""Payloads that a tokenizer has no estimate for: every row of the advisor says why."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.advisor.shapes import payloads
from tests.tokenizers.kinds import KINDS
from toon.advisor import advise, best_combination, combined, field_costs
from toon.costs.document import Document
from toon.costs.typed import Typed
from toon.tokenizers import TOKENIZERS

ESTIMATES = [name for name, tokenizer in TOKENIZERS.items() if not tokenizer.exact]


@pytest.mark.parametrize("tokenizer", ESTIMATES)
def test_every_row_says_why_a_payload_has_no_estimate(tokenizer: str) -> None:
    value = {"text": KINDS["Russian"]}
    typed = Typed(json.dumps(value, ensure_ascii=False))
    reason = Document(value, typed).no_estimate(tokenizer)

    assert reason is not None
    best = best_combination(Document.of(value, typed), tokenizer=tokenizer)
    rows = [
        *advise(Document.of(value, typed), tokenizer=tokenizer),
        combined(Document.of(value, typed), ["minify"], tokenizer=tokenizer),
        best,
    ]
    assert {row["no_estimate"] for row in rows} == {best["nothing"]} == {reason}


@given(payloads, st.sampled_from(["o200k_base", *ESTIMATES]))
def test_the_advisor_refuses_what_every_page_refuses(value: Any, tokenizer: str) -> None:
    expected = Document(value).no_estimate(tokenizer)

    assert combined(Document.of(value), [], tokenizer=tokenizer)["no_estimate"] == expected
    assert {row["no_estimate"] for row in field_costs(value, tokenizer)} == {expected}
