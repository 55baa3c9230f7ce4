"""The lines of the table of benchmarks in ``README.md`` beside this: what is measured, and how."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

HEAD: Final = "| what | against | ratio | bound | command |\n| --- | --- | --- | --- | --- |\n"


class Line(NamedTuple):
    """What is measured, against what, in which unit, and the bound of the ratio.

    What is ``fast`` should be at least the bound, all else at most.
    """

    what: str
    against: str
    unit: Literal["as fast", "as long"]
    bound: float

    def row(self, name: str, ratios: Sequence[float]) -> str:
        """Return the row of the table, with the lowest and the highest of the ratios."""
        is_fast = self.unit == "as fast"
        low, high = (round(end(ratios), 2) for end in (min, max))
        ratio = " to ".join(dict.fromkeys((f"{low:.2f}", f"{high:.2f}")))
        bound = f"at {'least' if is_fast else 'most'} {self.bound:g}"
        missed = ", missed" if (low < self.bound if is_fast else high > self.bound) else ""
        cells = (self.what, self.against, f"{ratio} times {self.unit}", bound + missed)
        return f"| {' | '.join(cells)} | `python -m tests.benchmarks.{name}` |\n"


#: The lines of each benchmark, in the order of the ratios that its ``main`` returns.
LINES: Final[dict[str, tuple[Line, ...]]] = {
    "codec": (
        Line("encode", "`toon-format` 1.2.0", "as fast", 5.5),
        Line("decode", "`toon-format` 1.2.0", "as fast", 4),
    ),
    "answer": (
        Line("the answer about 2 KB, 50 KB and 2 MB of JSON, lowest and highest",
             "tiktoken alone on the texts it needs", "as long", 1.5),
    ),
    "corpus": (
        Line("`measure`: JSON three ways and TOON, per core, lowest and highest data set",
             "tiktoken alone on the same texts", "as fast", 1),
        Line("`measure` of 20 and 60 MB in two processes", "in one", "as fast", 1.8),
    ),
    "editor": (
        Line("a key press until the other pane shows it, 1 and 50 KB",
             "routes that only echo", "as long", 2),
    ),
    "tap": (
        Line("a call of the official SDK's server through the tap, answers of 1, 10 and 100 KB",
             "a bare pipe", "as long", 1.05),
        Line("a call of an API through the tap, 1, 10 and 100 KB",
             "its proxy without a recorder", "as long", 1.05),
    ),
}  # fmt: skip
