"""``toon questions``, questions for a framework, and ``toon reading``, a summary of its logs.

Exit status: 0 done, 1 something was wrong (standard error says what), 2 the command itself was
wrong.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from toon.cli.options import Commands, RawHelp, add_names, read_count
from toon.cli.output import align, end_progress, open_binary, read_file, say, say_failure
from toon.text import clean
from toon.wording import JSON_NAMES, UNKNOWN, count, excerpt, percent, plural

if TYPE_CHECKING:
    from toon.reading.logs import Reading
    from toon.reading.results import FormatResult

#: The most wrong answers, and the most questions without one, that are listed.
SHOWN: Final = 10

_HEAD: Final = [
    "format", "right", "of", "share", "95 % interval", "vs json-compact", "95 % interval", "p",
    "no answer", "input tokens", "output tokens", "a right answer",
]  # fmt: skip

_QUESTIONS: Final = """\
The folder stands on its own: data, questions, and this project's rules of grading. What runs it
asks the model, with its own keys, limits and logs; nothing is sent from here.

examples:
  %(prog)s orders.json --format inspect -o asked
  cd asked && inspect eval questions.py --model openai/gpt-5-mini
  %(prog)s orders.json --format promptfoo --formats toon,csv -o asked
"""
_READING: Final = """\
LOG is an .eval or .json log of Inspect, or the JSON results of promptfoo.

example:
  %(prog)s asked/logs/*.eval
"""

_MINIFIED: Final = JSON_NAMES["json-compact"]


def add_questions(commands: Commands) -> None:
    parser = commands.add_parser(
        "questions",
        help="questions about a payload, for a framework that asks models",
        description="Makes questions with one clear answer out of JSON payloads, and writes them "
        f"in {_MINIFIED} and in each format named, as a folder for Inspect or promptfoo.",
        epilog=_QUESTIONS,
        formatter_class=RawHelp,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON; - is stdin")
    parser.add_argument(
        "--format", choices=("inspect", "promptfoo"), required=True, help="what runs the folder"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", required=True, help="a new folder"
    )
    add_names(parser, "--formats", "besides json-compact; default: json-pretty,toon")
    parser.add_argument(
        "--questions", type=read_count, default=60, metavar="N", help="of each file, at most (60)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="draws the questions (1)")
    parser.add_argument("--explain", action="store_true", help="prompts explain their format")
    parser.set_defaults(run=run_questions)


def add_reading(commands: Commands) -> None:
    parser = commands.add_parser(
        "reading",
        help="what models answered to the questions, format beside format",
        description="Reads the logs of questions that toon questions wrote, pairs the answers by "
        f"question, and says whether a difference from {_MINIFIED} was seen, and which one could "
        "have been.",
        epilog=_READING,
        formatter_class=RawHelp,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="logs; - is stdin")
    parser.set_defaults(run=run_reading)


def run_questions(options: argparse.Namespace) -> int:
    from toon.files import write_file
    from toon.reading.tasks import COMMANDS, FORMATS, FRAMEWORKS, make_tasks
    from toon.values.json_text import parse_json

    folder: Path = options.output
    file = ""
    values = []
    try:
        for file in options.files:
            values.append(parse_json(read_file(file)).value)
        file = ", ".join(options.files)
        tasks = make_tasks(
            values,
            options.formats or FORMATS,
            options.questions,
            options.seed,
            is_explained=options.explain,
        )
        file = str(folder)
        folder.mkdir()
        for name, text in FRAMEWORKS[options.format](tasks).items():
            write_file(folder / name, text.encode())
    except (OSError, ValueError, RuntimeError) as error:
        return say_failure(file, error)
    for name, reason in tasks.refused.items():
        say(f"{name} is left out: {reason}")
    number = plural(sum(map(len, tasks.questions)), "question")
    say(f"{number} in {plural(len(tasks.heads), 'format')}: {', '.join(tasks.heads)}")
    print(COMMANDS[options.format].format(folder=folder))
    return 0


def run_reading(options: argparse.Namespace) -> int:
    from toon.reading.logs import read_logs

    def read(file: str) -> tuple[str, bytes]:
        with open_binary(file) as source:
            return os.path.basename(file), source.read()

    try:
        readings = read_logs(map(read, options.files))
    except OSError as error:
        return say_failure("", error)
    except ValueError as error:
        say(str(error).rstrip("."))
        return 1
    end_progress()
    print("\n\n".join("\n".join(_reading_lines(reading)) for reading in readings))
    return 0


def _reading_lines(reading: Reading) -> list[str]:
    """Return the lines that ``toon reading`` prints on one model's answers: tables by format and by
    kind of question, then wrong and missing answers.
    """
    from toon.reading.results import summarise
    from toon.reading.verdicts import run_headline, run_verdict

    results = summarise(reading.records)
    names = [row.format for row in results.formats]
    rows = [
        [kind, *(f"{shares[name].right}/{shares[name].asked}" for name in names), ""]
        for kind, shares in results.kinds.items()
    ]
    wrong = [
        f"{answer.format}: {clean(answer.text)} {clean(excerpt(answer.said or '', 40))}, "
        f"right is {excerpt(answer.answer)}"
        for answer in results.wrong
    ]
    failures = Counter((row.format, excerpt(row.error, 120)[1:-1]) for row in results.unanswered)
    unanswered = [
        f"{format}, {plural(number, 'question')}: {clean(reason)}"
        for (format, reason), number in failures.items()
    ]
    return [
        clean(run_headline(reading.model, results)),
        *map(clean, reading.notes),
        *align([_HEAD, *map(_cells, results.formats)]),
        run_verdict(results),
        "",
        *align([["kind of question", *names, ""], *rows]),
        *_limit_lines("wrong", wrong),
        *_limit_lines("no answer", unanswered),
    ]


def _cells(row: FormatResult) -> list[str]:
    from toon.reading.verdicts import paired_words, share_words

    share = row.share
    return [
        row.format,
        count(share.right),
        count(share.asked),
        percent(share.accuracy) if share.asked else UNKNOWN,
        share_words(share),
        *paired_words(row.paired),
        count(row.unanswered),
        count(row.input_tokens),
        count(row.output_tokens),
        count(row.tokens_per_right),
    ]


def _limit_lines(title: str, lines: list[str]) -> list[str]:
    """Return a title, at most ten lines below it, and how many more there are; [] without lines."""
    if not lines:
        return []
    rest = [f"  and {len(lines) - SHOWN:,} more"] if len(lines) > SHOWN else []
    return list(chain(["", title], (f"  {line}" for line in lines[:SHOWN]), rest))
