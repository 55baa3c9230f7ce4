"""What the README of the tokenizers says is what the tables say."""

from __future__ import annotations

from tests.conftest import ROOT
from toon.costs.models import MAKERS, Grade
from toon.tokenizers import TOKENIZERS

TEXT = (ROOT / "toon" / "tokenizers" / "README.md").read_text(encoding="utf-8")


def test_every_tokenizer_has_a_line() -> None:
    lines = [line.split("`")[1] for line in TEXT.splitlines() if line.startswith("| `")]

    assert lines == list(TOKENIZERS)


def test_every_grade_of_a_rule_is_explained() -> None:
    used = {rule.grade for maker in MAKERS for rule in maker.rules}

    assert used == set(Grade)
    assert all(f"*{grade.value}*" in TEXT for grade in Grade)
