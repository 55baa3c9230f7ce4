"""The table of ``README.md`` beside this: ``python -m tests.benchmarks [NAME ...] [--write]``.

Runs all benchmarks that compare times or memory, or those that are named, each in a process of its
own, and prints one row for each thing measured. What a benchmark prints itself goes to standard
error. One that fails, or lacks a program, a package or data, becomes a row that says why.

``--write`` puts the rows into the README. What was not run keeps its row there.

A new benchmark has a function ``main`` that returns ``Ratios``, and its lines in ``table.LINES``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tests.benchmarks.table import HEAD, LINES, README, Row, rows_of, updated


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(LINES))
    parser.add_argument("--write", action="store_true", help="write the rows into the README")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - LINES.keys():
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(LINES)}")
    rows: dict[str, list[Row]] = {}
    print(HEAD, end="", flush=True)
    for name in options.names or LINES:
        rows[name] = rows_of(name)
        print("".join(row.text(name) for row in rows[name]), end="", flush=True)
    if options.write:
        text = updated(README.read_text(encoding="utf-8"), rows)
        README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
