"""The prompt of a question: what explains the format, the data, the question, how to answer.

All of it is one message of the user. The data come first and the question last, so that services
that keep the beginning of a prompt work it out once for all questions.
"""

from __future__ import annotations

import re
from typing import Final

from toon.formats import FORMATS
from toon.reading.grading import Type
from toon.reading.questions import Question

#: The prompt, with its parts by name; a run is recorded with it.
TEMPLATE: Final = """\
{explanation}Here is the data.

{fence}
{data}
{fence}

Answer this question from the data alone: {question}

Write {answer}, and nothing else: no sentence, no reason, no unit."""

#: What is to be written, by the type of the answer.
_ANSWERS: Final[dict[Type, str]] = {
    "integer": "a whole number in digits, without separators",
    "number": "a number in digits, with a point before its decimals and without separators",
    "boolean": "true or false",
    "date": "the date exactly as it stands in the data",
    "string": "the text exactly as it stands in the data",
    "list": "the items in their order, in one line with commas between them",
    "set": "the items in one line with commas between them",
}

# The question begins its line: no tokenizer joins the end of one part with the start of the other.
_HEAD, _, _TAIL = TEMPLATE.partition("Answer this")
_TAIL = f"Answer this{_TAIL}"


def write_head(format: str, text: str, is_explained: bool) -> str:
    """What the prompts of a format share: all up to the question."""
    about = FORMATS[format]
    explanation = about.explain(about.uses(text)) if is_explained else ""
    return _HEAD.format(
        explanation=f"{explanation}\n\n" if explanation else "", fence=_fence(text), data=text
    )


def write_tail(question: Question) -> str:
    """The question, and how to answer it."""
    return _TAIL.format(question=question.text, answer=_ANSWERS[question.type])


def _fence(text: str) -> str:
    """More backticks than stand in a row anywhere in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    return "`" * max(3, longest + 1)
