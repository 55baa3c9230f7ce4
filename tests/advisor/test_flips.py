"""Where the answer is another one for other models, the card says so."""

from __future__ import annotations

from tests.conftest import ROOT
from toon.advisor.next import next_steps
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.typed import Typed


def flips(sample: str, tokenizer: str) -> list[str]:
    typed = Typed((ROOT / "samples" / f"{sample}.json").read_text(encoding="utf-8"))
    document = Document(typed.read_json(), typed)
    found = next_steps(document, answer(document, tokenizer))
    return [step["label"] for step in found if step["page"] == "compare"]


def test_the_models_for_which_something_else_costs_less_are_named() -> None:
    assert flips("uniform-rows", "o200k_base") == [
        "TOON for Claude from 4.8 on; JSON by columns for Claude to 4.6, Gemini"
    ]
    assert flips("uniform-rows", "gemma3") == ["TOON, tab for GPT; TOON for Claude from 4.8 on"]


def test_where_all_agree_nothing_is_said() -> None:
    assert flips("weather", "o200k_base") == []
