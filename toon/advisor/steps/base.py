"""The base of a step, its options and its result."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.limits import DEFAULT_TOKENIZER
from toon.values import walks
from toon.values.paths import Path

#: How a step is undone: by any reader, only with a map kept beside the text, or not at all.
StepKind: TypeAlias = Literal["self-contained", "with-a-map", "lossy"]

#: Kinds from the least harmful; a combination has the most harmful kind of its steps.
STEP_KINDS: Final[tuple[StepKind, ...]] = ("self-contained", "with-a-map", "lossy")


@dataclass(frozen=True, slots=True)
class StepOptions:
    """The options of the advisor, for all steps.

    Attributes:
        tokenizer: The name of the tokenizer that counts.
        keep_fields: Patterns of the fields that the step ``keep-fields`` keeps, or None.
        explaining: How the explanations of formats and steps are counted.
    """

    tokenizer: str = DEFAULT_TOKENIZER
    keep_fields: tuple[str, ...] | None = None
    explaining: Explaining = ALONE


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of applying one of the advisor's steps to a payload.

    ``value`` is what is sent, ``legend`` its part that explains the rest. ``kept`` is what the
    caller keeps to undo the step; it is not sent to the model. Both are plain JSON. ``note`` says
    what was done, ``lost`` what cannot be restored. ``format`` is the format to write the value in,
    None if the step does not change it. ``explanation`` tells a model how to read the value.
    """

    value: Any
    note: str
    lost: str | None = None
    legend: Any = None
    kept: Any = None
    format: str | None = None
    explanation: str = ""


class Step(ABC):
    """The base class of the advisor's steps: a way to make a payload smaller.

    Laws: ``undo(apply(value))`` equals ``value`` unless the step is lossy. A self-contained step
    keeps nothing. No step changes the value it is given. ``unanswerable`` completes the sentence "A
    model can no longer say ..."; None for a self-contained step.
    """

    name: str
    label: str
    kind: StepKind = "self-contained"
    unanswerable: str | None = None

    @abstractmethod
    def apply(self, document: Document, options: StepOptions) -> Applied:
        """Apply the step to a payload; return its new value, and how to read it and undo the step.

        Raises:
            NotApplicable: There is nothing to do; the message gives the reason.
        """

    def undo(self, applied: Applied) -> Any:
        """Return the value before the step, from the ``value`` and ``kept`` of its result alone.

        Raises:
            ValueError: The step is lossy.
        """
        if self.kind == "lossy":
            raise ValueError(f"this cannot be undone: {applied.lost}")
        return applied.value


def scalars(document: Document) -> list[tuple[Path, Any]]:
    """List all scalars of a payload with their paths, in order; ``Document.ask`` caches it."""
    return list(walks.scalars(document.value))


def rebuild(value: Any, change: Callable[[Any], Any]) -> Any:
    """Copy a JSON value, with each object and array replaced by what ``change`` makes of it.

    Innermost first, with loops: a comprehension would take two frames a level of up to 256.
    """
    if isinstance(value, dict):
        members = {}
        for key, item in value.items():
            members[key] = rebuild(item, change)
        return change(members)
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(rebuild(item, change))
        return change(items)
    return value


def replace_texts(value: Any, replacements: Mapping[str, Any]) -> Any:
    """Copy a JSON value with each string that is a key of ``replacements`` replaced."""
    get = replacements.get
    return walks.map_values(value, lambda item: get(item, item))
