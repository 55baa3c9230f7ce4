"""What four models answered in the official benchmark: ``python -m tests.benchmarks.reading``.

Derives ``toon/reading/known.json`` from a folder of answers: ``FOLDER`` compares the two, ``FOLDER
--write`` writes the file, nothing prints what it says. The file holds counts alone: no question, no
answer and nothing of the data. The folder holds ``questions.jsonl``, ``formats.json``,
``texts/DATASET.FORMAT.txt`` and a file ``MODEL.jsonl`` for each service, with its answers and the
tokens that it reported, by question and format.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.timing import ROOT
from toon.cli.output import align
from toon.formats import label
from toon.reading.grading import Type
from toon.reading.known import FILE, KINDS, MODELS, SOURCE, STRUCTURE, compare, find_share
from toon.reading.statistics import Paired, Share
from toon.reading.tasks import BASELINE
from toon.reading.verdicts import p_words, points_words
from toon.wording import percent, signed_points

FOLDER: Final = ROOT.parent / "shared" / "datasets" / "answers"
_TYPES: Final[dict[str, Type]] = {"csv-list-ordered": "list", "csv-list-unordered": "set"}
_PROMPT: Final = """\
{primer}

Given the following data in {format} format:

```{fence}
{data}
```

Question: {question}

Answer format requirements:
- Provide only the value itself, no explanation
- For numbers: output digits only (no commas, currency symbols, or units)
- For dates/field names: use the exact string from the data
- For lists: output comma-separated values with no spaces

Answer:"""


class Prompt(NamedTuple):
    """What was sent for one question in one format."""

    question: str
    format: str
    text: str


class Answer(NamedTuple):
    """One answer, its question and its published grade."""

    model: str
    format: str
    question: str
    kind: str
    type: Type
    truth: str
    said: str
    is_right: bool


def missing(folder: Path, services: Iterable[str] = MODELS) -> list[str]:
    """Return the names of what the folder lacks."""
    names = ["questions.jsonl", "formats.json", "texts", *(f"{name}.jsonl" for name in services)]
    return [name for name in names if not (folder / name).exists()]


def read_answers(folder: Path) -> list[Answer]:
    """Return every answer, model by model."""
    asked = {row["id"]: row for row in read_rows(folder / "questions.jsonl")}
    found = []
    for model in MODELS:
        for row in read_rows(folder / f"{model}.jsonl"):
            question = asked[row["question"]]
            kind, type = question["type"], question["answer_type"]
            about = row["question"], kind, _TYPES.get(type, type), question["truth"]
            found.append(Answer(model, row["format"], *about, row["actual"], row["correct"]))
    return found


def read_prompts(folder: Path = FOLDER) -> list[Prompt]:
    """Return every prompt, question by question."""
    formats = json.loads((folder / "formats.json").read_text(encoding="utf-8"))
    data = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "texts").iterdir()}
    return [
        Prompt(
            row["id"],
            format,
            _PROMPT.format(
                primer=about["primer"],
                fence=about["fence"],
                format=format,
                data=data[f"{row['dataset']}.{format}"],
                question=row["prompt"],
            ),
        )
        for row in read_rows(folder / "questions.jsonl")
        for format, about in formats.items()
        if f"{row['dataset']}.{format}" in data
    ]


def read_counts(prompts: list[Prompt], service: str, folder: Path = FOLDER) -> NDArray[np.float64]:
    """Return the input tokens that a service reported, in the order of the prompts."""
    counts = {
        (row["question"], row["format"]): row["input_tokens"]
        for row in read_rows(folder / f"{service}.jsonl")
    }
    return np.array([counts[prompt.question, prompt.format] for prompt in prompts], np.float64)


def read_rows(path: Path) -> Iterator[Any]:
    """Yield the objects of a file of JSON Lines."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _lines(found: Sequence[Answer]) -> Iterator[list[str | int]]:
    """A line of counts for each model, format and kind of question."""
    grades = {(one.model, one.question, one.format): one.is_right for one in found}
    groups: dict[tuple[str, ...], list[Answer]] = defaultdict(list)
    for one in found:
        groups[one.model, one.format, one.kind].append(one)
    for key, group in groups.items():
        line: list[str | int] = [*key, len(group), sum(one.is_right for one in group)]
        beside = [(one.is_right, grades[one.model, one.question, BASELINE]) for one in group]
        yield [*line, beside.count((True, False)), beside.count((False, True))]


def derive(found: Sequence[Answer]) -> str:
    """Return the text of the file: one line for each line of counts."""
    lines = ",\n".join(map(json.dumps, _lines(found)))
    return f'{{"source": {json.dumps(SOURCE)},\n"answers": [\n{lines}\n]}}\n'


def together(format: str) -> Share:
    """The right answers in a format over all models: each counts the same, as was published.

    There is no interval, since the questions repeat.
    """
    shares = [one for model in MODELS if (one := find_share(format, model))]
    return Share(sum(one.right for one in shares), sum(one.asked for one in shares))


def table() -> list[list[str]]:
    """A table of what is known: TOON beside compact JSON, by model."""
    heads = [label("toon"), label("json-compact"), "points", "95 %", "won : lost", "p"]
    lines = [["model", *heads, "without structure", "p"]]
    for model, name in MODELS.items():
        pair, rest = compare("toon", model), compare("toon", model, kinds=KINDS.keys() - STRUCTURE)
        assert pair is not None
        assert rest is not None
        shares = [_accuracy(find_share(format, model)) for format in ("toon", "json-compact")]
        figures = [signed_points(pair.difference), points_words(pair.interval)]
        lines.append([name, *shares, *figures, *_won(pair), *_won(rest)])
    shares = [_accuracy(together(format)) for format in ("toon", "json-compact")]
    return [*lines, ["all four", *shares, *[""] * (len(lines[0]) - 3)]]


def _accuracy(found: Share | None) -> str:
    assert found is not None
    return percent(found.accuracy, 1)


def _won(pair: Paired) -> list[str]:
    return [f"{pair.gained} : {pair.lost}", p_words(pair.p_value)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--write", action="store_true", help="write the file")
    options = parser.parse_args(arguments)
    if options.folder is None:
        print("\n".join(align(table())))
        return
    if lacks := missing(options.folder):
        sys.exit(f"The answers are not here: no {', '.join(lacks)} in FOLDER.")
    text = derive(read_answers(options.folder))
    if options.write:
        FILE.write_text(text, encoding="utf-8")
    elif text != FILE.read_text(encoding="utf-8"):
        sys.exit(f"{FILE.name} is not what FOLDER gives: add --write.")


if __name__ == "__main__":
    main()
