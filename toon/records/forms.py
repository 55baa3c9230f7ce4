"""One response in every form: indented and compact JSON, TOON, lines; and what each takes."""

from __future__ import annotations

from typing import Any, Final, TypedDict

from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.records.query import token_count_header
from toon.tokenizers import Tokenizer
from toon.values.fractions import fraction

#: What the forms of a response are called everywhere.
PRETTY: Final = JSON_PRETTY.label
COMPACT: Final = JSON_COMPACT.label
SAME_FIELDS: Final = "same-fields JSON"
LINES: Final = "compact lines"


class Count(TypedDict):
    """The tokens of a body, and what ``X-Token-Count`` estimates, with its signed error."""

    tokens: int
    exact: bool
    header: int
    header_error: float | None


class Form(TypedDict):
    """One form of a response: which fields it holds (``kind``), and its tokens.

    ``vs_pretty`` and ``vs_compact`` are signed fractions against all fields in indented and in
    compact JSON; ``vs_same`` is against compact JSON of the fields this form holds.
    """

    label: str
    kind: str
    tokens: int
    exact: bool
    vs_pretty: float | None
    vs_compact: float | None
    vs_same: float | None


def count_body(text: str, tokenizer: Tokenizer) -> Count:
    """The tokens of a body, counted and as its header estimates them."""
    tokens, header = tokenizer.count(text), token_count_header(text)
    return {
        "tokens": tokens,
        "exact": tokenizer.exact,
        "header": header,
        "header_error": fraction(header, tokens),
    }


def measure_forms(whole: Any, lines: str, same_fields: str, tokenizer: Tokenizer) -> list[Form]:
    """A response in five forms.

    Args:
        whole: The response with all fields, a JSON value.
        lines: The response as compact lines, as it is sent.
        same_fields: Compact JSON of only the fields that the lines hold.
        tokenizer: What counts.
    """
    texts = {
        PRETTY: ("all fields", JSON_PRETTY.dumps(whole)),
        COMPACT: ("all fields", JSON_COMPACT.dumps(whole)),
        TOON.label: ("all fields", TOON.dumps(whole)),
        SAME_FIELDS: ("fields of the lines", same_fields),
        LINES: ("fields of the lines", lines),
    }
    tokens = {label: tokenizer.count(text) for label, (_, text) in texts.items()}
    bases = {"all fields": tokens[COMPACT], "fields of the lines": tokens[SAME_FIELDS]}
    return [
        measure_form(label, kind, tokens[label], tokens, bases[kind], tokenizer)
        for label, (kind, _) in texts.items()
    ]


def measure_form(
    label: str,
    kind: str,
    count: int,
    tokens: dict[str, int],
    same_fields: int | None,
    tokenizer: Tokenizer,
) -> Form:
    """A form of ``count`` tokens against the ``tokens`` of the forms by label."""
    return {
        "label": label,
        "kind": kind,
        "tokens": count,
        "exact": tokenizer.exact,
        "vs_pretty": fraction(count, tokens[PRETTY]),
        "vs_compact": fraction(count, tokens[COMPACT]),
        "vs_same": None if same_fields is None else fraction(count, same_fields),
    }
