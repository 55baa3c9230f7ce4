"""The claims of the dialects' documents, measured again."""

from __future__ import annotations

from toon.costs.claims import claim_rows


def test_the_examples_of_the_documents_have_independently_counted_tokens() -> None:
    """Others counted the same examples with o200k_base."""
    rows = claim_rows("o200k_base")
    counted = [(row["tokens"], row["json"]["json-compact"]) for row in rows]

    assert counted[0] == (58, 68)  # TOON/1
    assert rows[0]["json"]["json-pretty"] == 98
    assert rows[0]["vs"] == {"json-compact": (58 - 68) / 68, "json-pretty": (58 - 98) / 98}
    assert counted[2] == (205, 224)  # five slots, as the library writes them
    assert rows[4]["tokens"] == 59  # two messages
    assert counted[5] == (30, 35)
    assert counted[6] == (69, 63)


def test_only_the_claim_of_dropped_fields_holds_against_compact_json() -> None:
    for row in claim_rows("o200k_base"):
        if row["claimed"] is not None and "Compact lines" not in row["system"]:
            assert row["vs"]["json-compact"] > row["claimed"] / 2
