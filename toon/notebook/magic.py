"""``%%toon_stats``: what the JSON or the value in a cell costs a model."""

from __future__ import annotations

import argparse
import re
from inspect import cleandoc
from typing import Any, Final

from toon.errors import JsonDecodeError
from toon.notebook.answer import Answer, stats_of_text
from toon.notebook.stats import stats

#: The options of a line, and what stands behind them.
_OPTIONS: Final = re.compile(r"((?:\s*--[\w-]+[= ]\S+)*)(.*)", re.DOTALL)


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(f"%%toon_stats: {message}")


def register(shell: Any) -> None:
    """Give a shell of IPython the magic, for a line and for a cell."""

    def toon_stats(line: str, cell: str | None = None) -> Answer | None:
        """%%toon_stats [--model NAME] [--together N] [--explained-cached SHARE]

        Shows what a cell of JSON, or of one expression, costs a model.

        --model             as in gpt-5; it brings its tokenizer and its prices
        --together          payloads in a prompt, which share the note to the model (1), or none
        --explained-cached  share of the prompts, 0 to 1, that read the note from the cache (0)
        """
        if line.split()[:1] in (["-h"], ["--help"]):
            print(cleandoc(str(toon_stats.__doc__)))
            return None
        match = _OPTIONS.fullmatch(line)
        assert match is not None
        given, source = (match[1], match[2]) if cell is None else (line, cell)
        options = vars(_parser().parse_args(given.split()))
        try:
            return stats_of_text(source, **options)
        except JsonDecodeError as error:
            try:
                value = shell.ev(source.strip())
            except (NameError, SyntaxError):  # JSON that is damaged, more often than Python
                if source.lstrip()[:1] in ("{", "["):
                    raise error from None
                raise
            return stats(value, **options)

    shell.register_magic_function(toon_stats, "line_cell")


def _parser() -> argparse.ArgumentParser:
    parser = _Options(prog="%%toon_stats", add_help=False)
    parser.add_argument("--model", default="")
    parser.add_argument("--together", type=_number, default=1)
    parser.add_argument("--explained-cached", type=float, default=0.0)
    return parser


def _number(text: str) -> int | None:
    return None if text == "none" else int(text)
