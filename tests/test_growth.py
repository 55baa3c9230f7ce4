"""Work grows as the text does, for everything that works on texts of strangers.

The targets are read from the product's tables. The shapes are what has broken parsers before. Work
is the processor time of this process for n, 2n and 10n characters, in ratios alone: ten times the
text takes ten times as long if work is linear, a hundred times if it is quadratic, and thirty is
the border. That from 2n to 10n finds what a fixed cost hides at n; that from n to 2n finds what
ends at a limit before 10n. What takes a few milliseconds is not compared, and what passes a border
is measured nine times, and nine times again after the others, before it counts.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from itertools import chain, combinations
from typing import Final

import pytest

from tests import targets
from tests.targets import Target, outcome

#: Characters of the longest text; the nightly run, which has the time, takes longer ones.
_SIZE: Final = 10_000 * (20 if os.environ.get("HYPOTHESIS_PROFILE") == "search" else 1)
_TIMES: Final = (1, 2, 10)
#: The power of a text's length that work may grow with: 10 times the text, 29.5 times the work.
_POWER: Final = 1.47
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


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_the_work_grows_with_the_text(name: str) -> None:
    assert steep(TARGETS[name], SHAPES, _SIZE) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_writing_grows_with_the_text(name: str) -> None:
    """A writer does not know what a text looks like from far, so a few kinds of characters do."""
    units = "[", '"', "\\", "\n", "a\n", "1\n", "- ", "a: ", "|", "&", "é", "\x85", "😀"

    assert steep(WRITERS[name], [("", unit) for unit in units], _SIZE // 2) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", TOKENIZERS)
def test_counting_grows_with_the_text(name: str) -> None:
    """A vocabulary merges bytes in a fast language, so texts are longer here and shapes fewer."""
    units = "[", "\n", "\n ", "\t", "\r\n", "a", "a\u0301", "漢"
    outcome(TOKENIZERS[name], "loaded")

    assert steep(TOKENIZERS[name], [("", unit) for unit in units], 3 * _SIZE) == []


@pytest.mark.slow
def test_a_quadratic_target_is_found() -> None:
    def quadratic(text: str) -> object:
        return [text[at:].count("x", 0, 200) for at in range(len(text)) for _ in range(at // 100)]

    assert steep(quadratic, [("", "a")], 4_000) == ["'' 'a'"]
    assert steep(lambda text: [text.count("x", at, at + 9) for at in range(len(text))],
                 [("", "a")], 100_000) == []  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "is_found"),
    [
        (lambda size: size / 1e5, False),
        (lambda size: size**2 / 1e8, True),
        (lambda size: 0.05 + size / 1e5, False),
        (lambda size: 0.05 + size**2 / 1e8, True),  # 17 times as long as at n, 12 times as at 2n
        (lambda size: size**2 / 1e8 if size < 5_000 else 0, True),
        (lambda size: size**2 / 1e12, False),  # too short to be compared
    ],
)
def test_each_pair_of_lengths_is_compared(
    seconds: Callable[[int], float], is_found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "_seconds", lambda _, text: seconds(len(text)))

    assert (steep(len, [("", "a")], 10_000) == ["'' 'a'"]) == is_found


def steep(target: Target, shapes: Iterable[tuple[str, str]], size: int) -> list[str]:
    """The shapes with which work grows faster than the power ``_POWER`` of the text."""
    found = list(shapes)
    for _ in range(2):  # a machine that is slow for a while is not slow for all of them
        found = [shape for shape in found if _is_steep(target, *shape, size)]
    return [f"{start!r} {unit!r}" for start, unit in found]


def _is_steep(target: Target, start: str, unit: str, size: int) -> bool:
    least = dict.fromkeys(_TIMES, float("inf"))
    for attempt in range(9):
        for times in _TIMES:
            length = size * times // _TIMES[-1]
            # Every text is another one: some targets keep what they found last.
            text = start + unit * (length // len(unit) + attempt)
            least[times] = min(least[times], _seconds(target, text))
        if not any(_is_beyond(least, *pair) for pair in combinations(_TIMES, 2)):
            return False
    return True


def _is_beyond(least: dict[int, float], few: int, many: int) -> bool:
    border: float = least[few] * (many / few) ** _POWER
    return least[many] > max(_SHORT, border)


def _seconds(target: Target, text: str) -> float:
    before = time.process_time()
    outcome(target, text)
    return time.process_time() - before
