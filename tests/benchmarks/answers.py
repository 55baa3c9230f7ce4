"""The prompts of the official benchmark and the tokens that services reported for them.

The folder holds ``questions.jsonl``, ``formats.json``, ``texts/DATASET.FORMAT.txt`` and a file
``MODEL.jsonl`` for each service, with the counts by question and format.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.timing import ROOT

FOLDER: Final = ROOT.parent / "shared" / "datasets" / "answers"

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
    dataset: str
    format: str
    text: str


def missing(folder: Path, services: Iterable[str]) -> list[str]:
    """Return the names of what the folder lacks."""
    names = ["questions.jsonl", "formats.json", "texts", *(f"{name}.jsonl" for name in services)]
    return [name for name in names if not (folder / name).exists()]


def read_prompts(folder: Path = FOLDER) -> list[Prompt]:
    """Return every prompt, question by question."""
    formats = json.loads((folder / "formats.json").read_text(encoding="utf-8"))
    data = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "texts").iterdir()}
    return [
        Prompt(
            row["id"],
            row["dataset"],
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
