"""The table of ``README.md`` beside this: ``python -m tests.benchmarks [NAME ...]``.

Runs all benchmarks that compare times, or those that are named, and prints one row for each thing
measured. What a benchmark prints itself goes to standard error.
"""

import argparse
import sys
from contextlib import redirect_stdout
from importlib import import_module

from tests.benchmarks.table import HEAD, LINES


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(LINES))
    print(HEAD, end="", flush=True)
    for name in parser.parse_args().names or LINES:
        with redirect_stdout(sys.stderr):
            measured = import_module(f"tests.benchmarks.{name}").main()
        rows = (line.row(name, found) for line, found in zip(LINES[name], measured, strict=True))
        print("".join(rows), end="", flush=True)


if __name__ == "__main__":
    main()
