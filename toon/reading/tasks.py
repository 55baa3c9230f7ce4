"""Questions in several formats, as a folder for Inspect or promptfoo; no model is asked here.

A prompt is one message of the user: the explanation of the format, the data, the question, and how
to answer. The data come first and the question last, so that services with a prompt cache process
the data once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from toon import formats as table
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.reading import grading
from toon.reading.grading import Type
from toon.reading.questions import Question, make_questions
from toon.text import whole

#: The format that the others are compared with.
BASELINE: Final = JSON_COMPACT.name
#: Defaults: formats beside the baseline, questions of a payload, the seed.
FORMATS: Final = ("json-pretty", "toon")
QUESTIONS: Final = 60
SEED: Final = 1

#: How the prompt asks for an answer of each type.
_ANSWERS: Final[dict[Type, str]] = {
    "integer": "a whole number in digits, without separators",
    "number": "a number in digits, with a point before its decimals and without separators",
    "boolean": "true or false",
    "date": "the date exactly as it stands in the data",
    "string": "the text exactly as it stands in the data",
    "list": "the items in their order, in one line with commas between them",
    "set": "the items in one line with commas between them",
}

#: The start of a tag of Nunjucks, promptfoo's template language.
_TAG: Final = re.compile(r"\{(?=[{%#])")

_HERE: Final = Path(__file__).parent
#: The name of the file with the rules of grading in a folder.
_GRADING: Final = "toon_grading.py"


@dataclass(frozen=True)
class Tasks:
    """Questions about payloads, in several formats.

    Attributes:
        questions: The questions of each payload.
        heads: The beginnings of the prompts by format, one for each payload; the baseline is first.
        refused: Formats that cannot carry a payload, each with the reason.
    """

    questions: tuple[list[Question], ...]
    heads: dict[str, list[str]]
    refused: dict[str, str]

    @property
    def rows(self) -> list[dict[str, str]]:
        """The questions, each with its payload's number and the digest of all questions."""
        rows = [
            {
                "id": f"{payload + 1}-{number}",
                "payload": str(payload),
                "question": one.text,
                "prompt": write_tail(one),
                "answer": one.answer,
                "type": one.type,
                "kind": one.kind,
            }
            for payload, questions in enumerate(self.questions)
            for number, one in enumerate(questions, 1)
        ]
        digest = sha256(json.dumps([rows, self.heads[BASELINE]]).encode()).hexdigest()[:16]
        return [{"toon": digest, **row} for row in rows]


def make_tasks(
    values: Sequence[Any],
    formats: Iterable[str] = FORMATS,
    count: int = QUESTIONS,
    seed: int = SEED,
    *,
    is_explained: bool = False,
) -> Tasks:
    """Make ``count`` questions about each payload, in each format that carries all payloads.

    Raises:
        TooSmall: A payload gives too few questions.
        ValueError: A format has no such name.
    """
    heads, refused = {}, {}
    for format in [table.get(name) for name in dict.fromkeys([BASELINE, *formats])]:
        try:
            texts = [whole(format.dumps(value)) for value in values]
        except NotApplicable as reason:
            refused[format.name] = str(reason)
        else:
            heads[format.name] = [write_head(format.name, text, is_explained) for text in texts]
    return Tasks(tuple(make_questions(value, count, seed) for value in values), heads, refused)


def write_head(format: str, text: str, is_explained: bool) -> str:
    """Write the beginning of a format's prompts: all up to the question."""
    about = table.FORMATS[format]
    note = about.explain(about.uses(text)) if is_explained else ""
    # More backticks than any run of them in the text.
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
    note = f"{note}\n\n" if note else ""
    return f"{note}Here is the data.\n\n{fence}\n{text}\n{fence}\n\n"


def write_tail(question: Question) -> str:
    """Write the end of a prompt: the question, and how to answer it."""
    return (
        f"Answer this question from the data alone: {question.text}\n\n"
        f"Write {_ANSWERS[question.type]}, and nothing else: no sentence, no reason, no unit."
    )


def for_inspect(tasks: Tasks) -> dict[str, str]:
    """Return the files of a folder for ``inspect eval``, one task a format."""
    data = [
        {"format": name, "payload": str(number), "text": text}
        for name, texts in tasks.heads.items()
        for number, text in enumerate(texts)
    ]
    one_task = "\n\n@task\ndef reading_{}() -> Task:\n    return ask({!r})\n"
    program = (_HERE / "inspect_task.txt").read_text(encoding="utf-8")
    program += "".join(one_task.format(name.replace("-", "_"), name) for name in tasks.heads)
    return {
        "questions.py": program,
        "questions.jsonl": _lines(tasks.rows),
        "data.jsonl": _lines(data),
        _GRADING: _grading(),
    }


def for_promptfoo(tasks: Tasks) -> dict[str, str]:
    """Return the files of a folder for ``promptfoo eval``, one prompt a format and payload."""
    import yaml

    is_one = len(tasks.questions) == 1
    prompts = [
        {
            "label": name,
            "raw": "".join(
                _plain(text)
                if is_one
                else f"{{% if payload == '{number}' %}}{_plain(text)}{{% endif %}}"
                for number, text in enumerate(texts)
            )
            + "{{prompt}}",
        }
        for name, texts in tasks.heads.items()
    ]
    tests = [
        {
            "vars": {"payload": row["payload"], "prompt": _plain(row["prompt"])},
            "metadata": {key: row[key] for key in ("toon", "id", "kind", "question", "answer")},
            "assert": [
                {
                    "type": "python",
                    "value": f"file://{_GRADING}:grade_promptfoo",
                    "config": {"answer": row["answer"], "type": row["type"]},
                }
            ],
        }
        for row in tasks.rows
    ]
    config = {
        "description": "Does a model still read it? Written by toon questions.",
        "prompts": prompts,
        "tests": tests,
    }
    # Quoted, since readers of YAML differ in how they read a bare word.
    looks: dict[str, Any] = {"default_style": '"', "allow_unicode": True, "sort_keys": False}
    text: str = yaml.safe_dump(config, width=10**9, **looks)
    return {"promptfooconfig.yaml": text, _GRADING: _grading()}


#: The frameworks, and the functions that write the files of a folder for each.
FRAMEWORKS: Final[dict[str, Callable[[Tasks], dict[str, str]]]] = {
    "inspect": for_inspect,
    "promptfoo": for_promptfoo,
}
#: The shell commands that run a framework's folder.
COMMANDS: Final = {
    "inspect": "cd {folder} && inspect eval questions.py --model PROVIDER/NAME",
    "promptfoo": "cd {folder} && promptfoo eval -r PROVIDER:NAME -o results.json",
}


def _grading() -> str:
    """Return the source of the grading rules: a folder needs no installed token-lab."""
    return Path(grading.__file__).read_text(encoding="utf-8")


def _plain(text: str) -> str:
    """Escape a text as a Nunjucks template."""
    return _TAG.sub("{{ '{' }}", text)


def _lines(rows: Iterable[dict[str, str]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
