"""Work grows as the text does, for everything that works on texts of strangers.

The targets are read from the product's tables. The shapes are what has broken parsers before. Work
is counted in executed lines of Python for n, 2n and 10n characters: ten times the text takes ten
times the lines if work is linear, a hundred times if it is quadratic, and thirty is the border.
That from 2n to 10n finds what a fixed cost hides at n; that from n to 2n finds what ends at a limit
before 10n. The work of C is no line: ``python -m tests.benchmarks growth`` times that.
"""

from collections.abc import Callable, Iterable
from itertools import chain, combinations
from typing import Final

import pytest

from tests import targets
from tests.targets import Target, outcome
from tests.work import count_lines

pytestmark = pytest.mark.rest


#: Characters of the longest text.
_SIZE: Final = 2_000
TIMES: Final = (1, 2, 10)
#: The power of a text's length that work may grow with: 10 times the text, 29.5 times the work.
POWER: Final = 1.47
#: Lines that are too few to compare: five a character.
_FEW: Final = 5 * _SIZE

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
#: A writer does not know what a text looks like from far, so a few kinds of characters do.
WRITTEN: Final = [
    ("", unit)
    for unit in ("[", '"', "\\", "\n", "a\n", "1\n", "- ", "a: ", "|", "&", "é", "\x85", "😀")
]


@pytest.mark.parametrize("name", TARGETS)
def test_the_work_grows_with_the_text(name: str) -> None:
    assert steep(TARGETS[name], SHAPES, _SIZE) == []


@pytest.mark.parametrize("name", WRITERS)
def test_writing_grows_with_the_text(name: str) -> None:
    assert steep(WRITERS[name], WRITTEN, _SIZE) == []


def quadratic(text: str) -> object:
    return [at + back for at in range(len(text)) for back in range(at // 100)]


def linear(text: str) -> object:
    return [at + 1 for at in range(len(text))]


def test_a_quadratic_target_is_found() -> None:
    assert steep(quadratic, [("", "a")], 4_000) == ["'' 'a'"]
    assert steep(linear, [("", "a")], 4_000) == []


@pytest.mark.parametrize(
    ("work", "is_found"),
    [
        (lambda size: 9 * size, False),
        (lambda size: size**2 / 9, True),
        (lambda size: 5e4 + 9 * size, False),
        (lambda size: 5e5 + size**2 / 9, True),  # 19 times as much as at n, 12 times as at 2n
        (lambda size: size**2 / 99 if size < 5_000 else 0, True),
        (lambda size: size**2 / 1e5, False),  # too little to be compared
    ],
)
def test_each_pair_of_lengths_is_compared(work: Callable[[int], float], is_found: bool) -> None:
    assert is_steep({times: work(1_000 * times) for times in TIMES}, _FEW) == is_found


def steep(target: Target, shapes: Iterable[tuple[str, str]], size: int) -> list[str]:
    """Return the shapes with which lines grow faster than the power ``POWER`` of the text."""
    return [
        f"{start!r} {unit!r}"
        for start, unit in shapes
        if is_steep(
            {
                times: count_lines(
                    outcome, target, start + unit * (size * times // 10 // len(unit))
                )
                for times in TIMES
            },
            _FEW,
        )
    ]


def is_steep(work: dict[int, float], least: float) -> bool:
    """Whether work grows faster than its text, between any two lengths; less than that is none."""
    return any(
        work[many] > max(least, work[few] * (many / few) ** POWER)
        for few, many in combinations(TIMES, 2)
    )
