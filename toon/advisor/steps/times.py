"""Steps that write timestamps (RFC 3339) as dates, or as seconds since 1970."""

import re
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

from toon.advisor.steps.base import (
    Applied,
    Step,
    StepKind,
    StepOptions,
    replace_texts,
    scalars,
)
from toon.codec.numbers import exact_number
from toon.costs.document import Document
from toon.formats.base import NotApplicable
from toon.values.paths import Path, parse_pattern, pattern_text
from toon.values.walks import is_number, map_leaves
from toon.wording import listed, plural

_TIMESTAMP: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d(?::\d\d)?)(?:(?<=:\d\d:\d\d)\.(\d{1,9}))?"
    r"(Z|[+-]\d\d:?\d\d)?",
    re.A,
)
_EPOCH: Final = datetime(1970, 1, 1)


def _find_moments(document: Document) -> dict[Any, re.Match[str]]:
    """Return the strings of a payload that are timestamps, each with the match of its parts.

    A date alone is none, nor are 30 February and a leap second.
    """
    moments: dict[Any, re.Match[str]] = {}
    for text in {item for _, item in document.ask(scalars) if isinstance(item, str)}:
        if match := _TIMESTAMP.fullmatch(text):
            with suppress(ValueError):
                datetime.fromisoformat(f"{match[1]}T{match[3]}")
                moments[text] = match
    return moments


class ToDates(Step):
    """A lossy step that cuts the timestamps in a payload to their dates."""

    name = "dates"
    label = "Timestamps to dates"
    kind: StepKind = "lossy"
    unanswerable = "at what time of day, or at which offset from UTC"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        moments = document.ask(_find_moments)
        if not moments:
            raise NotApplicable("there is no timestamp")
        all_cut = plural(sum(item in moments for _, item in document.ask(scalars)), "timestamp")
        result = replace_texts(document.value, {text: text[:10] for text in moments})
        lost = f"the time of day and offset of {all_cut}"
        return Applied(result, f"{all_cut} cut to dates", lost)


class TimeForm(NamedTuple):
    """How the timestamps of a field are written: the separator of date and time, the number of
    fraction digits (0: no point), and the text of the offset.
    """

    separator: str
    digits: int
    offset: str


class ToEpoch(Step):
    """A step that writes timestamps as seconds since 1970, with a map of how each field wrote them.

    A field is left unchanged if its texts could not be restored: its timestamps have several forms
    or offsets, one lacks an offset or seconds, or the field also holds numbers.
    """

    name = "epoch"
    label = "Timestamps to epoch seconds"
    kind: StepKind = "with-a-map"
    unanswerable = "the local time and its offset, or a date without arithmetic"

    def apply(self, document: Document, options: StepOptions) -> Applied:
        moments = document.ask(_find_moments)
        counts: Counter[Path] = Counter()
        seen: dict[Path, set[TimeForm | None]] = {}
        for path, item in document.ask(scalars):
            if moment := moments.get(item):
                counts[path] += 1
                seen.setdefault(path, set()).add(_form(moment))
            elif is_number(item):
                seen.setdefault(path, set()).add(None)
        if not counts:
            raise NotApplicable("there is no timestamp")
        forms = {
            path: form for path in counts if len(seen[path]) == 1 for form in seen[path] if form
        }
        if not forms:
            raise NotApplicable("no field has timestamps with only one form and offset")

        def change(path: Path, item: Any) -> Any:
            moment = moments.get(item) if path in forms else None
            return _seconds(moment) if moment else item

        kept = {pattern_text(path): form._asdict() for path, form in forms.items()}
        count = sum(counts[path] for path in forms)
        left = len(counts) - len(forms)
        note = f"{plural(count, 'timestamp')} in {listed(kept)}: their offset is only in the map"
        if left:
            note += f"; {plural(left, 'field')} unchanged: several forms, or no offset"
        explanation = f"Numbers in {', '.join(kept)} are seconds since 1970-01-01T00:00:00Z."
        return Applied(map_leaves(document.value, change), note, kept=kept, explanation=explanation)

    def undo(self, applied: Applied) -> Any:
        forms = {parse_pattern(text): TimeForm(**form) for text, form in applied.kept.items()}

        def change(path: Path, item: Any) -> Any:
            return _timestamp(item, forms[path]) if path in forms and is_number(item) else item

        return map_leaves(applied.value, change)


def _form(moment: re.Match[str]) -> TimeForm | None:
    """Return a timestamp's separator, digits and offset; None if seconds cannot restore it."""
    if not moment[5] or len(moment[3]) == len("00:00"):
        return None
    return TimeForm(moment[2], len(moment[4] or ""), moment[5])


def _seconds(moment: re.Match[str]) -> int | float | Decimal:
    """Convert a timestamp to seconds since 1970 (UTC), with all digits of its fraction."""
    since = datetime.fromisoformat(f"{moment[1]}T{moment[3]}") - _EPOCH
    seconds = since // timedelta(seconds=1) - _offset(moment[5])
    if not moment[4]:
        return seconds
    return exact_number(format(seconds + Decimal(f"0.{moment[4]}"), "f"))


def _offset(text: str) -> int:
    """Convert a timestamp's offset, such as ``+01:00`` or ``Z``, to seconds ahead of UTC."""
    if text == "Z":
        return 0
    seconds = int(text[1:3]) * 3600 + int(text[-2:]) * 60
    return -seconds if text[0] == "-" else seconds


def _timestamp(seconds: int | float | Decimal, form: TimeForm) -> str:
    """Write seconds since 1970 as a timestamp in ``form``, a field's way to write it."""
    exact = Decimal(repr(seconds)) if isinstance(seconds, float) else Decimal(seconds)
    whole, fraction = divmod(int(exact.scaleb(form.digits)), 10**form.digits)
    moment = _EPOCH + timedelta(seconds=whole + _offset(form.offset))
    decimals = f".{fraction:0{form.digits}d}" if form.digits else ""
    return f"{moment.isoformat(form.separator, 'seconds')}{decimals}{form.offset}"
