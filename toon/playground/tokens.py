"""The single tokens of a text for the editors: the place, id and bytes of each."""

from __future__ import annotations

from typing import TypeAlias, TypedDict

import numpy as np

from toon import tokenizers
from toon.layout.spans import utf16_runs_of_tokens

#: A token's id or None, and its bytes in hexadecimal.
Part: TypeAlias = tuple[int | None, str]


class Tokens(TypedDict):
    """The tokens of a text, in runs of whole characters that a browser can find in the text.

    Attributes:
        none: Why there are no tokens, in a sentence; None if there are.
        runs: The length of every run in UTF-16 code units. Most runs are one token.
        ids: By run, its token's id or None if unknown; for tokens that share a character, their
            parts.
    """

    none: str | None
    runs: list[int]
    ids: list[int | list[Part] | None]


def tokens(text: str, tokenizer: str) -> Tokens:
    """Return the tokens of ``text`` by the tokenizer with a name.

    Raises:
        ValueError: No tokenizer has that name.
    """
    measure = tokenizers.get(tokenizer)
    if not measure.exact:
        return {"none": f"No tokens to show. {measure.evidence}", "runs": [], "ids": []}
    lengths, ids = measure.lengths(text), measure.ids(text)
    known = [None] * lengths.size if ids is None else ids.tolist()
    runs, counts = utf16_runs_of_tokens(text, lengths)
    firsts = np.cumsum(counts) - counts
    found: list[int | list[Part] | None] = [known[first] for first in firsts.tolist()]
    raw, ends = text.encode(), np.cumsum(lengths).tolist()
    for run in np.flatnonzero(counts > 1).tolist():
        places = range(firsts[run], firsts[run] + counts[run])
        found[run] = [
            (known[at], raw[ends[at] - int(lengths[at]) : ends[at]].hex(" ")) for at in places
        ]
    return {"none": None, "runs": runs.tolist(), "ids": found}
