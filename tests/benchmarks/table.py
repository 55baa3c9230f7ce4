"""The lines of the table of benchmarks in ``README.md`` beside this: what is measured, and how."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from importlib import import_module
from multiprocessing import get_context
from typing import Final, Literal, NamedTuple

from tests.benchmarks.timing import ROOT, Ratios

README: Final = ROOT / "tests" / "benchmarks" / "README.md"

HEAD: Final = "| what | against | ratio | bound | command |\n| --- | --- | --- | --- | --- |\n"
_TABLE: Final = re.compile(f"{re.escape(HEAD)}((?:\\|.*\n)*)")


class Line(NamedTuple):
    """What is measured, against what, in which unit, and the bound of the ratio, if it has one.

    What is ``fast`` should be at least the bound, all else at most.
    """

    what: str
    against: str
    unit: Literal["as fast", "as long", "the memory"]
    bound: float | None = None

    def bound_text(self) -> str:
        if self.bound is None:
            return "none"
        return f"at {'least' if self.unit == 'as fast' else 'most'} {self.bound:g}"

    def holds(self, ratios: Iterable[float]) -> bool:
        if self.bound is None:
            return True
        return min(ratios) >= self.bound if self.unit == "as fast" else max(ratios) <= self.bound


#: The lines of each benchmark, in the order of the ratios that its ``main`` returns.
LINES: Final[dict[str, tuple[Line, ...]]] = {
    "codec": (
        Line("encode", "`toon-format` 1.2.0", "as fast", 5.5),
        Line("decode", "`toon-format` 1.2.0", "as fast", 4),
    ),
    "javascript": (
        Line("encode", "the JavaScript reference 4.4.0 on node", "as fast"),
        Line("decode", "the JavaScript reference 4.4.0 on node", "as fast"),
    ),
    "lines": (
        Line("`toon.encode_lines`, lowest and highest data set", "`toon.encode`", "as long", 1.3),
        Line("`toon.decode_lines`, lowest and highest data set", "`toon.decode`", "as long", 1.3),
    ),
    "files": (
        Line("the command `encode` of 60 MB, lowest and highest", "Python's json", "as long", 2),
        Line("its memory", "Python's json, which loads and dumps the same", "the memory", 1),
        Line("the command `decode` of 60 MB, lowest and highest", "Python's json", "as long", 4),
        Line("the memory of `decode`", "Python's json", "the memory", 1),
    ),
    "answer": (
        Line(
            "the answer about 2 KB, 50 KB and 2 MB of JSON, lowest and highest",
            "tiktoken alone on the texts it needs",
            "as long",
            1.5,
        ),
    ),
    "attribution": (
        Line(
            "layout and attribution of minified JSON, 2 KB to 2 MB", "tokenizing it", "as long", 0.5
        ),
    ),
    "advisor": (
        Line(
            "the advice of Send less about 2 KB to 0.8 MB, its four parts at worst",
            "tiktoken alone on the texts it weighs",
            "as long",
            3,
        ),
    ),
    "comparison": (
        Line("all formats under every exact tokenizer", "the tokenizations alone", "as long", 3),
    ),
    "corpus": (
        Line(
            "`measure`: JSON three ways and TOON, per core, lowest and highest data set",
            "tiktoken alone on the same texts",
            "as fast",
            1,
        ),
        Line("`measure` of 20 and 60 MB in two processes", "in one", "as fast", 1.8),
    ),
    "terabyte": (
        Line("`measure` on two workers of a Dask cluster", "its simulation", "as long", 1.1),
    ),
    "dashboard": (
        Line(
            "opening 10^5 and 10^6 rows in the dashboard",
            "a bare page that draws it",
            "as long",
            1.5,
        ),
        Line("searching in them", "the bare page", "as long", 1.5),
        Line("the server with them open, at most", "before", "the memory"),
    ),
    "editor": (
        Line(
            "a key press until the other pane shows it, 1 and 50 KB",
            "routes that only echo",
            "as long",
            2,
        ),
    ),
    "switches": (
        Line("from a click to the words of a page", "an empty page of the app", "as long", 2.5),
        Line("until its charts, tables and editors are drawn", "the same", "as long", 2.5),
    ),
    "first_load": (
        Line("from the address to the usable editor, cold", "an app of one line", "as long", 2),
        Line("the same, warm", "an app of one line", "as long", 1.5),
    ),
    "sessions": (Line("the server after three sessions", "after one", "the memory", 1.3),),
    "crowd": (
        Line("a conversion with 25 users at once, median", "one user", "as long", 5),
        Line("a reported edit with 25 users at once, median", "one user", "as long", 5),
    ),
    "tap": (
        Line(
            "a call of the official SDK's server through the tap, answers of 1, 10 and 100 KB",
            "a bare pipe",
            "as long",
            1.05,
        ),
        Line(
            "a call of an API through the tap, 1, 10 and 100 KB",
            "its proxy without a recorder",
            "as long",
            1.05,
        ),
    ),
}


class Row(NamedTuple):
    """A row of the table, without its command."""

    what: str
    against: str
    ratio: str
    bound: str

    def text(self, name: str) -> str:
        cells = " | ".join(cell.replace("|", r"\|") for cell in self)
        return f"| {cells} | `python -m tests.benchmarks.{name}` |\n"


def measured(line: Line, ratios: Sequence[float]) -> Row:
    """The row of a line that was measured."""
    shown = sorted(round(ratio, 2) for ratio in ratios)
    ends = dict.fromkeys(f"{end:.2f}" for end in (shown[0], shown[-1]))
    ratio = f"{' to '.join(ends)} times {line.unit}"
    bound = line.bound_text() + ("" if line.holds(shown) else ", missed")
    return Row(line.what, line.against, ratio, bound)


def run(name: str) -> Ratios | str:
    """The ratios of a benchmark, or why there are none."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(_run_here, name).result()
        except (Exception, SystemExit) as error:  # whatever it is, the others are run
            reason = str(error).strip() or type(error).__name__
            return f"not run: {reason.splitlines()[0]}"


def _run_here(name: str) -> Ratios:
    sys.argv = [name]
    with redirect_stdout(sys.stderr):
        main: Callable[[], Ratios] = import_module(f"tests.benchmarks.{name}").main
        ratios = main()
    if len(ratios) != len(LINES[name]) or not all(ratios):
        raise ValueError(f"ratios {ratios} for {len(LINES[name])} lines")
    return ratios


def rows_of(name: str) -> list[Row]:
    """Runs a benchmark; its rows."""
    found = run(name)
    if isinstance(found, str):
        return [Row(line.what, line.against, found, line.bound_text()) for line in LINES[name]]
    return [measured(line, ratios) for line, ratios in zip(LINES[name], found, strict=True)]


def updated(readme: str, rows: dict[str, list[Row]]) -> str:
    """The README with rows that were measured; all others keep theirs."""
    table = _TABLE.search(readme)
    if table is None:
        raise ValueError("the README has no table of benchmarks")
    kept = {tuple(line[2:].split(" | ")[:2]): line for line in table[1].splitlines(keepends=True)}
    lines = []
    for name in LINES:
        for number, line in enumerate(LINES[name]):
            row = rows[name][number] if name in rows else None
            if row is None or row.ratio.startswith("not run"):
                unknown = Row(line.what, line.against, "not measured", line.bound_text())
                lines.append(kept.get(line[:2]) or unknown.text(name))
            else:
                lines.append(row.text(name))
    return readme[: table.start()] + HEAD + "".join(lines) + readme[table.end() :]
