"""Questions in several formats, as a folder for Inspect or promptfoo; no model is asked here.

A prompt is one message of the user: the explanation of the format, the data, the question, and how
to answer. The data come first and the question last, so that services with a prompt cache process
the data once.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from toon import formats as table
from toon.formats.base import Format, NotApplicable
from toon.formats.json import JSON_COMPACT
from toon.reading import grading
from toon.reading.grading import Type
from toon.reading.questions import Question, make_questions
from toon.text import replace_surrogates

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

#: The name of the file with the rules of grading in a folder.
_GRADING: Final = "toon_grading.py"


class Tasks(NamedTuple):
    """Questions about payloads, with the prompts to ask them in several formats.

    ``heads`` are the beginnings of prompts by format, the baseline first, one for each payload.
    ``refused`` has the reason for each format that cannot carry a payload.
    """

    questions: tuple[list[Question], ...]
    heads: dict[str, list[str]]
    refused: dict[str, str]

    @property
    def rows(self) -> list[dict[str, str]]:
        """A dictionary for each question: its id, payload's number, end of the prompt, and answer.

        ``toon`` is a digest of all questions. The end of a prompt is the question, and how to
        answer it.
        """
        rows = [
            {
                "id": f"{payload + 1}-{number}",
                "payload": str(payload),
                "question": one.text,
                "prompt": f"Answer this question from the data alone: {one.text}\n\n"
                f"Write {_ANSWERS[one.type]}, and nothing else: no sentence, no reason, no unit.",
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
    """Make ``count`` questions about each payload, drawn by ``seed``, in formats that carry all.

    With ``is_explained`` the prompts explain the format.

    Raises:
        TooSmall: A payload gives too few questions.
        ValueError: A format has no such name.
    """
    heads, refused = {}, {}
    for format in [table.get(name) for name in dict.fromkeys([BASELINE, *formats])]:
        try:
            texts = [replace_surrogates(format.dumps(value)) for value in values]
        except NotApplicable as reason:
            refused[format.name] = str(reason)
        else:
            heads[format.name] = [_write_head(format, text, is_explained) for text in texts]
    return Tasks(tuple(make_questions(value, count, seed) for value in values), heads, refused)


def _write_head(format: Format, text: str, is_explained: bool) -> str:
    """Write the start of a prompt about a payload's ``text`` in a format, up to the question."""
    note = format.explain(format.uses(text)) if is_explained else ""
    # More backticks than any run of them in the text.
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
    note = f"{note}\n\n" if note else ""
    return f"{note}Here is the data.\n\n{fence}\n{text}\n{fence}\n\n"


def for_inspect(tasks: Tasks) -> dict[str, str]:
    """Return a folder's files for ``inspect eval``, as texts by name; it has one task a format."""
    data = [
        {"format": name, "payload": str(number), "text": text}
        for name, texts in tasks.heads.items()
        for number, text in enumerate(texts)
    ]
    program = Path(__file__).with_name("inspect_task.txt").read_text(encoding="utf-8")
    for name in tasks.heads:
        task = f"reading_{name.replace('-', '_')}"
        program += f"\n\n@task\ndef {task}() -> Task:\n    return ask({name!r})\n"
    lines = {"questions.jsonl": tasks.rows, "data.jsonl": data}
    return {
        "questions.py": program,
        **{
            name: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            for name, rows in lines.items()
        },
        **_grading(),
    }


def for_promptfoo(tasks: Tasks) -> dict[str, str]:
    """Return a folder's files for ``promptfoo eval``, as texts by name; with a prompt a format."""
    import yaml

    prompts = []
    for name, texts in tasks.heads.items():
        heads = [_plain(text) for text in texts]
        if len(heads) > 1:
            only_for = "{{% if payload == '{}' %}}{}{{% endif %}}".format
            heads = [only_for(number, head) for number, head in enumerate(heads)]
        prompts.append({"label": name, "raw": "".join(heads) + "{{prompt}}"})
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
    return {"promptfooconfig.yaml": text, **_grading()}


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


def _grading() -> dict[str, str]:
    """Return the text of the Python file that grades, by its name, to put it into a folder."""
    return {_GRADING: Path(grading.__file__).read_text(encoding="utf-8")}


def _plain(text: str) -> str:
    """Escape the tags of Nunjucks in a text, so that the template gives the text itself."""
    return _TAG.sub("{{ '{' }}", text)
