"""Packs ctok's vocabularies into ``claude.pack``, and proves from them where a count is a sum.

``python -m tests.tokenizers.pack_claude`` needs Python 3.12 and ctok (MIT, its notice is
``LICENSE.ctok``). ctok marks words with five noncharacters. Here the marks are controls, which no
normalised text contains, so that the stream of an ASCII text is ASCII.
"""

import itertools
import json
import lzma
import re
from collections.abc import Iterable
from typing import Any, Final

from toon.tokenizers.claude.data import BEGIN, CAPS, END, FILE, LISTS, PIECES, SHIFT

_MARKS: Final = {"\ufdd0": BEGIN, "\ufdd1": END, "\ufdd3": SHIFT, "\ufdd4": CAPS}

#: What may stand side by side in a piece: B begin, E end, S shift, C capitals, and the kinds of
#: characters of :mod:`toon.tokenizers.claude.data`. Between any other two a text can be cut.
_NEIGHBOURS: Final = re.compile("[SC]B|B[wpqn]|[wpqn]E|ww|pp|qp|qq|np|nn|dd|ss|pw")


def kind_of(character: str) -> str:
    """Return the kind of a character, by ctok's rules; x for one that is always rewritten."""
    from ctok.normalize import _hard_eow, _hard_kind, _is_selector, classify, nfc

    if nfc(character, fold_quotes=False) != character:
        return "x"
    sort = classify(character)
    if sort == "hard":
        hard = {"punct": "q", "number": "n", "letter": "h"}
        return "V" if _is_selector(character) else hard[_hard_kind(character)]
    if sort == "digit":
        return "d" if character.isascii() else "a"
    if sort == "wordy":
        return "W" if _hard_eow(character) else "w"
    return {"punct": "p", "space": "s"}[sort]


def prove(pieces: Iterable[str], kinds: str) -> None:
    """Check that a text can be cut where this package cuts it.

    Raises:
        AssertionError: A piece reaches over a cut.
    """
    from ctok.constants import CONTRACTION_SUFFIXES

    marks = {BEGIN: "B", END: "E", SHIFT: "S", CAPS: "C"}

    def kind(character: str) -> str:
        if ord(character) > 0xFFFF:
            return "h"
        return marks.get(character) or kinds[ord(character)].replace("W", "w")

    pieces = set(pieces)
    for piece in pieces:
        for first, second in itertools.pairwise(piece):
            pair = kind(first) + kind(second)
            assert _NEIGHBOURS.fullmatch(pair), (piece, pair)
            assert pair != "ss" or first == second, piece
            if pair == "pw":  # the only pieces from punctuation into a word
                assert piece[1:].rstrip(END) in CONTRACTION_SUFFIXES, piece
    # Every run of one to three digits is a piece, and so is every character of ASCII.
    assert sum(piece.isascii() and piece.isdigit() for piece in pieces) == 1110
    assert all(chr(code) in pieces for code in (9, 10, *range(32, 127)))


def main() -> None:
    """Write ``claude.pack``."""
    from ctok.main import FAMILIES, _document, _model

    kinds = "".join(map(kind_of, map(chr, range(0x10000))))
    # All others are h, but for the few with a canonical decomposition.
    assert {kind_of(chr(code)) for code in range(0x10000, 0x110000)} == {"h", "x"}
    table = str.maketrans(_MARKS)
    vocabularies = {
        name: {piece.translate(table) for piece in _model(name).vocab} for name in FAMILIES
    }
    for pieces in vocabularies.values():
        prove(pieces, kinds)
    assert vocabularies["v4.7"] == vocabularies["v4.8"]
    runs = (f"{kind}{len(list(run)):x}" for kind, run in itertools.groupby(kinds))
    head = json.dumps({"families": dict(map(_family, FAMILIES)), "kinds": " ".join(runs)})
    old, new = vocabularies["v3"], vocabularies["v4.7"]
    lists = [sorted(old & new), sorted(old - new), sorted(new - old)]
    for name in ("v3", "v4.7"):
        lists.append(sorted(_document(FAMILIES[name].pieces)["tokens"]["bytes_fallback"]))
    raw = LISTS.join([head, *(PIECES.join(pieces) for pieces in lists)]).encode()
    FILE.write_bytes(lzma.compress(raw, lzma.FORMAT_ALONE, preset=9 | lzma.PRESET_EXTREME))


def _family(name: str) -> tuple[str, dict[str, Any]]:
    from ctok.main import _model

    model = _model(name)
    return name, {
        "new": name != "v3",
        "frame": model.message_overhead,
        "begins": model.frame_bow,
        "straightens": model.fold_quotes,
        "capitals": model.allcaps_min,
    }


if __name__ == "__main__":
    main()
