"""Ten times the text is about ten times the work, for everything that works on texts of strangers.

The targets are read from the product's tables. The shapes are what has broken parsers before. Work
is the processor time of this process, in ratios alone: ten times the text takes ten times as long
if work is linear, a hundred times if it is quadratic, and thirty is the border. What takes a few
milliseconds is not compared, and what passes the border is measured three times before it counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from itertools import chain
from typing import Final

import pytest

from tests import targets
from tests.targets import Target, outcome

#: Characters of the longer text; the nightly run, which has the time, takes longer ones.
_SIZE: Final = 10_000 * (20 if os.environ.get("HYPOTHESIS_PROFILE") == "search" else 1)
_TIMES: Final = 10
_BORDER: Final = 3 * _TIMES
#: Seconds that are too short to compare.
_SHORT: Final = 0.006

#: What is repeated, after what stands before it, if anything does.
UNITS: Final = (
    "[", "{", "(", '"', "'", "\\", "\n", " ", "\n\n ", "\t", "\r", "\r\n", "\ufeff", "0", "1:59:",
    "1e9,", ",", ":", "- ", "? ", "a: ", "a:\n ", "a: 1\n", "- - ", "x,", '"x\\', '"a":', "[x],",
    "a[1]: ", "a{b,", "[1]:", "|a", "|\n", "#", "&a ", "*a ", "%TAG !a! b\n", "<a>", "<!--",
    "&amp;", "a\u0301", "\u0301", "😀", "é", "{a|", "a.b.", "[]", "/a", "%41", "$.", "ab ", "_1",
)  # fmt: skip
STARTS: Final = (
    ("[", "x,"), ("[", "1,"), ("[[1],\n", "x,\n"), ('{"log":{"entries":[', "{},"), ('{"a":', "["),
    ("[", '"\\x",'), ("a: ", "["), ("a: 1", ":59"), ("a: 0x", "f"), ("a: |\n", "  \n"), ("- ", "{"),
    ("a[9]: ", "1,"), ("a[9]: ", '"'), ("a[9]{b,c}:\n", "  1,2\n"), ("a[-1]: ", "1,"),
    ("[9]:", " -"), ("a,b\n", "1,2\n"), ("a,b\n", '"'), ("<r>", "<a/>"), ("<r ", "a='' "),
    ("<r>", "&lt;"),
    ("| a |\n|---|\n", "| 1 |\n"), ("line: ", "<{a}>"), ("line: {a|", "upper|"), ("line: ", "{a} "),
    ("curl -d '", "\\''"), ("{'a':", "["), ("['", "', '"), ("x", "\n{}"), ("[", "{a:1},"),
    ('{"jsonrpc":"2.0"}\n', '{"id":1}\n'), ("https://a/", "?a=b&"), ("---\n", "a: b\n---\n"),
)  # fmt: skip
SHAPES: Final = (*(("", unit) for unit in UNITS), *STARTS)
TARGETS: Final = dict(chain(targets.decoders(), targets.readers(), targets.others()))
WRITERS: Final = dict(targets.writers())
TOKENIZERS: Final = dict(targets.tokenizers())


@pytest.mark.parametrize("name", TARGETS)
def test_the_work_grows_with_the_text(name: str) -> None:
    assert steep(TARGETS[name], SHAPES, _SIZE) == []


@pytest.mark.parametrize("name", WRITERS)
def test_writing_grows_with_the_text(name: str) -> None:
    """A writer does not know what a text looks like from far, so a few kinds of characters do."""
    units = "[", '"', "\\", "\n", "a\n", "1\n", "- ", "a: ", "|", "&", "é", "\x85", "😀"

    assert steep(WRITERS[name], [("", unit) for unit in units], _SIZE // 2) == []


@pytest.mark.parametrize("name", TOKENIZERS)
def test_counting_grows_with_the_text(name: str) -> None:
    """A vocabulary merges bytes in a fast language, so texts are longer here and shapes fewer."""
    units = "[", "\n", "\n ", "\t", "\r\n", "a", "a\u0301", "漢"
    outcome(TOKENIZERS[name], "loaded")

    assert steep(TOKENIZERS[name], [("", unit) for unit in units], 3 * _SIZE) == []


def test_a_quadratic_target_is_found() -> None:
    def quadratic(text: str) -> object:
        return [text[at:].count("x", 0, 200) for at in range(len(text)) for _ in range(at // 100)]

    assert steep(quadratic, [("", "a")], 4_000) == ["'' 'a'"]
    assert steep(lambda text: [text.count("x", at, at + 9) for at in range(len(text))],
                 [("", "a")], 100_000) == []  # fmt: skip


def steep(target: Target, shapes: Iterable[tuple[str, str]], size: int) -> list[str]:
    """The shapes of which ten times as much is more than ``_BORDER`` times the work."""
    return [f"{start!r} {unit!r}" for start, unit in shapes if _is_steep(target, start, unit, size)]


def _is_steep(target: Target, start: str, unit: str, size: int) -> bool:
    least = [float("inf"), float("inf")]
    for attempt in range(3):
        for place, length in enumerate((size, size // _TIMES)):
            # Every text is another one: some targets keep what they found last.
            text = start + unit * (length // len(unit) + attempt)
            least[place] = min(least[place], _seconds(target, text))
            if least[0] < _SHORT:
                return False
        if least[0] <= _BORDER * least[1]:
            return False
    return True


def _seconds(target: Target, text: str) -> float:
    before = time.process_time()
    outcome(target, text)
    return time.process_time() - before
