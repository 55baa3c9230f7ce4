"""Positions in the editors' JSON and TOON that hold the same key or value.

Two places are partners if they have the same path and decode to the same value, which both formats'
readers also find at that path. Without that proof a place has no partner.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias, TypedDict

import numpy as np

from toon.errors import TextError
from toon.layout.spans import utf16_offsets
from toon.playground.detection import dialect_of
from toon.playground.marks import ROOT, Marks, Nodes, json_marks
from toon.playground.panes import Options
from toon.playground.toon_marks import toon_marks
from toon.values.equality import same_leaf
from toon.values.json_text import parse_json
from toon.values.paths import step_text


class Places(TypedDict):
    """The partners in two texts.

    Attributes:
        json: Four numbers for each place, in the order of the text: its start and end in UTF-16
            code units, its path, and the index of its partner in ``toon``.
        toon: The same for the TOON. If several places of the JSON have this partner, as the keys of
            a table's rows do, the first of them.
        parents: By path, the path without its last step; the first path is the whole value and its
            own parent.
        steps: By path, the text of the last step.
    """

    json: list[int]
    toon: list[int]
    parents: list[int]
    steps: list[str]


def places(json_text: str, toon_text: str, options: Options) -> Places:
    """Return the keys and values that both texts hold; none if one is unreadable or a dialect."""
    nodes = Nodes()
    json, toon = Marks(), Marks()
    pairs: list[_Pair] = []
    with suppress(TextError):
        if dialect_of(toon_text) == "toon":
            decoded = options.toon.read(toon_text, strict=options.strict)
            values = [parse_json(json_text).value, decoded.value]
            json = json_marks(json_text, nodes)
            toon = toon_marks(toon_text, options.indent, nodes)
            pairs = sorted(_pairs(json, toon, *map(nodes.of, values)))
    firsts: dict[int, tuple[int, int]] = {}
    for index, (_, there, node) in enumerate(pairs):
        firsts.setdefault(there, (node, index))
    order = {span: index for index, span in enumerate(sorted(firsts))}
    return {
        "json": _flat(json_text, json, [(here, node, order[there]) for here, there, node in pairs]),
        "toon": _flat(toon_text, toon, [(span, *firsts[span]) for span in order]),
        "parents": [ROOT, *(parent for parent, _ in nodes.numbers)],
        "steps": ["", *(step_text(step, parent == ROOT) for parent, step in nodes.numbers)],
    }


#: The index of a span in each text, and the number of their path.
_Pair: TypeAlias = tuple[int, int, int]


def _pairs(
    json: Marks, toon: Marks, value: dict[int, Any], returned: dict[int, Any]
) -> Iterator[_Pair]:
    """Yield the proven pairs; ``value`` and ``returned`` are the readers' values, by path."""
    both = value.keys() & returned.keys()
    for node in json.keys.keys() & toon.keys.keys() & both:
        yield json.keys[node], toon.keys[node], node
    for node in json.leaves.keys() & toon.leaves.keys() & both:
        (here, leaf), (there, other) = json.leaves[node], toon.leaves[node]
        if all(same_leaf(leaf, found) for found in (other, value[node], returned[node])):
            yield here, there, node


def _flat(text: str, marks: Marks, found: list[tuple[int, int, int]]) -> list[int]:
    """Flatten spans as in :class:`Places`, from their indices, paths and partners."""
    ends = np.array([marks.spans[span] for span, _, _ in found], np.int64).reshape(-1, 2)
    others = np.array([rest for _, *rest in found], np.int64).reshape(-1, 2)
    return list(np.hstack((utf16_offsets(text, ends), others)).ravel().tolist())
