"""The claims of the dialects' documents, measured again."""

import pytest

from toon.evidence.claims import CLAIMS, Claim, measure_claims
from toon.formats import FORMATS
from toon.wording import signed_percent


def test_the_examples_of_the_documents_have_independently_counted_tokens() -> None:
    """Others counted the same examples with o200k_base."""
    rows = measure_claims("o200k_base")
    counted = [(row["tokens"], row["json"]["json-compact"]) for row in rows]

    assert counted[0] == (58, 68)  # TOON/1
    assert rows[0]["json"]["json-pretty"] == 98
    assert rows[0]["vs"] == {"json-compact": (58 - 68) / 68, "json-pretty": (58 - 98) / 98}
    assert counted[1] == (214, 224)  # five slots, as the document prints them
    assert counted[2] == (59, 73)  # two messages, with their label in both texts
    assert signed_percent(rows[2]["vs"]["json-compact"]) == "−19.2\u202f%"
    assert counted[3] == (30, 35)
    assert counted[4] == (69, 63)


_READERS = ["ticket", "pipe", "vibemcp", "toon", "toon"]


@pytest.mark.parametrize(("claim", "reader"), list(zip(CLAIMS[:-1], _READERS, strict=True)))
def test_a_text_is_compared_with_json_of_the_same_data(claim: Claim, reader: str) -> None:
    """The last claim, of compact lines, leaves fields out and says so."""
    cut = {"created_at": "2024-01-15"} if reader == "ticket" else {}

    text = claim.write(claim.value)

    assert FORMATS[reader].read(text, strict=False).value == claim.value | cut


def test_only_the_claim_of_dropped_fields_holds_against_compact_json() -> None:
    for claim, row in zip(CLAIMS, measure_claims("o200k_base"), strict=True):
        if claim.claimed is not None and "Compact lines" not in claim.system:
            measured = row["vs"]["json-compact"]
            assert measured is not None
            assert measured > claim.claimed / 2
