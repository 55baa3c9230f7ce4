"""The claims of the dialects' documents, measured again."""

from __future__ import annotations

from toon import tokenizers
from toon.costs.claims import CLAIMS, claim_rows
from toon.formats import FORMATS


def test_each_claim_is_counted_on_the_text_it_stands_for() -> None:
    measure = tokenizers.get("cl100k_base")
    for claim, row in zip(CLAIMS, claim_rows("cl100k_base"), strict=True):
        compact = measure.count(FORMATS["json-compact"].dumps(claim.value))

        assert row["tokens"] == measure.count(claim.write(claim.value))
        assert row["json"]["json-compact"] == compact
        assert row["vs"]["json-compact"] == (row["tokens"] - compact) / compact


def test_the_documents_own_examples_count_as_was_found_elsewhere() -> None:
    """The figures of others who counted the same examples with o200k_base."""
    rows = claim_rows("o200k_base")
    counted = [(row["tokens"], row["json"]["json-compact"]) for row in rows]

    assert counted[0] == (58, 68)  # TOON/1
    assert (rows[0]["tokens"], rows[0]["json"]["json-pretty"]) == (58, 98)
    assert counted[2] == (205, 224)  # five slots, as the library writes them
    assert rows[4]["tokens"] == 59  # two messages
    assert counted[5] == (30, 35)
    assert counted[6] == (69, 63)


def test_no_claim_holds_against_compact_json_but_that_of_dropped_fields() -> None:
    for row in claim_rows("o200k_base"):
        if row["claimed"] is not None and "Compact lines" not in row["system"]:
            assert row["vs"]["json-compact"] > row["claimed"] / 2
