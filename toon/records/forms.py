"""One response in every form: indented and compact JSON, TOON, lines; and what each takes."""

from __future__ import annotations

from typing import Any, Final, Literal, TypedDict

from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.tokenizers import Tokenizer
from toon.values.fractions import fraction

#: The labels of the forms of a response, by their keys.
FORM_LABELS: Final = {
    JSON_PRETTY.name: JSON_PRETTY.label,
    JSON_COMPACT.name: JSON_COMPACT.label,
    TOON.name: TOON.label,
    "same-fields": "same-fields JSON",
    "lines": "compact lines",
}

#: Which fields a form holds: all, those that the lines are made of, those that ``fields`` chose, or
#: the records that changed.
Kind = Literal["all", "lines", "chosen", "changes"]


class Form(TypedDict):
    """One form of a response, a key of ``FORM_LABELS``, and its tokens.

    ``vs`` has signed fractions: against all fields in indented and in compact JSON, and as
    ``same-fields`` against compact JSON of the fields this form holds.
    """

    form: str
    kind: Kind
    tokens: int
    vs: dict[str, float | None]


def measure_forms(whole: Any, lines: str, same_fields: str, tokenizer: Tokenizer) -> list[Form]:
    """Measure a response in five forms.

    Args:
        whole: The response with all fields, a JSON value.
        lines: The response as compact lines, as it is sent.
        same_fields: Compact JSON of only the fields that the lines hold.
        tokenizer: The tokenizer that counts.
    """
    texts: dict[str, tuple[Kind, str]] = {
        JSON_PRETTY.name: ("all", JSON_PRETTY.dumps(whole)),
        JSON_COMPACT.name: ("all", JSON_COMPACT.dumps(whole)),
        TOON.name: ("all", TOON.dumps(whole)),
        "same-fields": ("lines", same_fields),
        "lines": ("lines", lines),
    }
    tokens = {form: tokenizer.count(text) for form, (_, text) in texts.items()}
    bases = {"all": tokens[JSON_COMPACT.name], "lines": tokens["same-fields"]}
    return [
        measure_form(form, kind, tokens[form], tokens, bases[kind], tokenizer)
        for form, (kind, _) in texts.items()
    ]


def measure_form(
    form: str,
    kind: Kind,
    count: int,
    tokens: dict[str, int],
    same_fields: int | None,
    tokenizer: Tokenizer,
) -> Form:
    """Compare a form of ``count`` tokens with the ``tokens`` of the other forms."""
    against = {name: tokens[name] for name in (JSON_PRETTY.name, JSON_COMPACT.name)}
    vs = {name: fraction(count, base) for name, base in against.items()}
    same = None if same_fields is None else fraction(count, same_fields)
    return {
        "form": form,
        "kind": kind,
        "tokens": count,
        "vs": {**vs, "same-fields": same},
    }
