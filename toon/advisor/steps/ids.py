"""Steps that shorten ids: opaque ones to a few characters, UUIDs by their hyphens.

An opaque id says nothing by itself, so its first characters identify as well as the whole:

- a UUID, anywhere;
- under a key such as ``id``, ``order_id`` or ``orderIds``: random letters and digits (hex, base36,
  base62), after a type such as ``cus_`` or ``run-`` if there is one. The field must name things: on
  average a text stands in it at most twice, and most of its texts have one length, as a generator
  writes them. Others are categories or names.

A name is never cut. Names of models look random too (``gpt4o2024mini08``), so an id that is not hex
must be long, or look like base62 after a type.

An id is cut wherever it is a whole value, so references to it still match. No other text of the
payload equals a short id: the map alone restores the ids.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from os.path import commonprefix
from typing import Any, Final

from toon.advisor.steps.base import (
    Applied,
    Step,
    StepKind,
    StepOptions,
    replace_texts,
    scalars,
)
from toon.costs.document import Document
from toon.formats.base import NotApplicable
from toon.values.paths import Path, parse_pattern, pattern_text
from toon.values.randomness import is_random
from toon.values.walks import map_leaves
from toon.wording import listed, plural

_PARTS: Final = [f"([0-9a-f]{{{digits}}})" for digits in (8, 4, 4, 4, 12)]
_UUID: Final = re.compile("-".join(_PARTS), re.I | re.A)
_BARE_UUID: Final = re.compile("".join(_PARTS), re.I | re.A)

#: Characters kept of an id after its type; more where two ids begin alike.
LENGTH: Final = 8

#: Names of fields that hold ids in any data; for calls in logs, see :mod:`toon.traffic.language`.
_KEY: Final = re.compile(r"(?:.*[_-])?(?:id|uuid|guid)s?|.*[a-z0-9](?:Id|ID|Uuid|UUID|Guid|GUID)s?")
#: Shorter ids look like codes, and cutting them saves little. Texts with several separators are
#: slugs, dates, versions, file names or addresses.
_ID: Final = re.compile(r"([A-Za-z]{1,10}[_-])?([0-9A-Za-z]{12,})")
#: The least length of an id without a type: names of products are shorter or mix less.
_LONG: Final = 20
_BASE62: Final = re.compile("(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z]).{14,}")
#: The start of a name of a model or product, as in ``llama370b8192x``.
_NAMED: Final = re.compile("(?:[A-Z]?[a-z]{3,}|[A-Z]{3,})[0-9]")
_HEX: Final = re.compile("[0-9a-f]+|[0-9A-F]+")


class ShortIds(Step):
    """A step that cuts random ids to their first characters, with a map from short to whole ids."""

    name = "short-ids"
    label = f"Opaque ids cut to {LENGTH} characters"
    kind: StepKind = "with-a-map"
    unanswerable = (
        "the whole id: it can only repeat the short one, which your program must map back"
    )

    def apply(self, document: Document, options: StepOptions) -> Applied:
        texts = [(path, item) for path, item in document.ask(scalars) if isinstance(item, str)]
        ids = _find_opaque_ids(texts)
        if not ids:
            raise NotApplicable("there is no UUID, and no field of random ids")
        short = _shorten(ids, {item for _, item in texts})
        if not short:
            raise NotApplicable("the ids differ only where they would be cut")
        count = sum(item in short for _, item in texts)
        longer = sum(len(cut) > ids[text] for text, cut in short.items())
        note = f"{plural(count, 'id')} cut, {len(short):,} distinct"
        if longer:
            note += f", {longer:,} of them longer than {LENGTH} characters to stay unique"
        originals = {short[item]: item for _, item in texts if item in short}
        return Applied(replace_texts(document.value, short), note, kept=originals)

    def undo(self, applied: Applied) -> Any:
        return replace_texts(applied.value, applied.kept)


def _find_opaque_ids(texts: Iterable[tuple[Path, str]]) -> dict[str, int]:
    """Find random ids among (path, text) pairs; return how many characters to keep of each.

    UUIDs count anywhere. A field of another name than ``id`` and its like has no ids, nor one whose
    texts mostly differ in length or often repeat.
    """
    ids: dict[str, int] = {}
    fields: dict[Path, Counter[str]] = {}
    for path, text in texts:
        if _UUID.fullmatch(text):
            ids[text] = LENGTH
        elif _KEY.fullmatch(next((key for key in reversed(path) if key is not None), "")):
            fields.setdefault(path, Counter())[text] += 1
    for counts in fields.values():
        ((_, most),) = Counter(map(len, counts)).most_common(1)
        if counts.total() <= 2 * len(counts) and 2 * most > len(counts):
            for text in counts:
                match = _ID.fullmatch(text)
                if match and _is_opaque(match[1] or "", match[2]):
                    ids[text] = len(match[1] or "") + LENGTH
    return ids


def _is_opaque(type: str, text: str) -> bool:
    """Return whether a text is a random id and no name; ``type`` is the prefix that stood before.

    No name is written in hexadecimal. Digits alone may mean something.
    """
    if _HEX.fullmatch(text):
        return not (text.isdigit() or text.isalpha())
    is_long = len(text) >= _LONG and not _NAMED.match(text)
    return bool((type and _BASE62.fullmatch(text)) or is_long) and is_random(text)


def _shorten(ids: dict[str, int], texts: set[str]) -> dict[str, str]:
    """Return the short form of each id: a prefix that no other id or text has. Some ids have none.

    Args:
        ids: The ids, with the least length of the short form of each.
        texts: All texts of the payload.
    """
    ordered = sorted(ids)
    common = [len(commonprefix(pair)) for pair in pairwise(ordered)]  # noqa: RUF071 - no paths
    short = {}
    for text, before, after in zip(ordered, [0, *common], [*common, 0], strict=True):
        length = max(ids[text], before + 1, after + 1)
        while text[:length] in texts and length < len(text):
            length += 1
        if length < len(text):
            short[text] = text[:length]
    return short


class BareUuids(Step):
    """A step that removes the hyphens of UUIDs, and keeps the patterns of the changed fields.

    To undo it, every text of 32 hex digits in those fields gets hyphens, so a field that also holds
    UUIDs without hyphens is left unchanged.
    """

    name = "bare-uuids"
    label = "UUIDs without hyphens"
    kind: StepKind = "with-a-map"
    unanswerable = (
        "the UUID as it was written: it can only repeat it without hyphens, which your program "
        "must put back"
    )

    def apply(self, document: Document, options: StepOptions) -> Applied:
        texts = [(path, item) for path, item in document.ask(scalars) if isinstance(item, str)]
        counts = Counter(path for path, text in texts if _UUID.fullmatch(text))
        if not counts:
            raise NotApplicable("there is no UUID")
        bare = {path for path, text in texts if _BARE_UUID.fullmatch(text)}
        fields = {path: times for path, times in counts.items() if path not in bare}
        if not fields:
            raise NotApplicable("every field with UUIDs also holds some without hyphens")

        def change(path: Path, item: Any) -> Any:
            is_uuid = path in fields and isinstance(item, str) and _UUID.fullmatch(item)
            return item.replace("-", "") if is_uuid else item

        paths = [pattern_text(path) for path in fields]
        count = sum(fields.values())
        note = f"hyphens taken out of {plural(count, 'UUID')} in {listed(paths)}"
        return Applied(map_leaves(document.value, change), note, kept=paths)

    def undo(self, applied: Applied) -> Any:
        fields = {parse_pattern(pattern) for pattern in applied.kept}

        def change(path: Path, item: Any) -> Any:
            parts = _BARE_UUID.fullmatch(item) if path in fields and isinstance(item, str) else None
            return "-".join(parts.groups()) if parts else item

        return map_leaves(applied.value, change)
