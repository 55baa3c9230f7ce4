"""The protocol of a step, its options and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

from toon import tokenizers
from toon.costs.document import Document, Memory, Proof, Typed
from toon.costs.explanation import ALONE, Explaining
from toon.formats import FORMATS
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.values.paths import Path
from toon.values.walks import replaced, scalars

Found = TypeVar("Found")
#: All scalars of a value with their paths, in order.
Scalars: TypeAlias = list[tuple[Path, Any]]

#: Results that the steps keep; all are dropped when there would be more.
_MOST_FOUND: Final = 10_000

#: How a step is undone: by any reader, only with a map kept beside the text, or not at all.
StepKind: TypeAlias = Literal["self-contained", "with-a-map", "lossy"]

#: Kinds from the least harmful; a combination has the most harmful kind of its steps.
STEP_KINDS: Final[tuple[StepKind, ...]] = ("self-contained", "with-a-map", "lossy")


@dataclass(frozen=True, slots=True)
class StepOptions:
    """The inputs of a step besides the value.

    ``tokenizer`` counts, ``format`` is the format the value is written in now, ``keep_fields`` are
    the patterns of the fields to keep, ``typed`` is this value's text as typed, ``explaining`` is
    how explanations are counted, ``memory`` keeps results.
    """

    tokenizer: Tokenizer = field(default_factory=lambda: tokenizers.get(DEFAULT_TOKENIZER))
    format: str = "json-compact"
    keep_fields: tuple[str, ...] | None = None
    typed: Typed | None = None
    explaining: Explaining = ALONE
    memory: Memory = field(default_factory=partial(Memory, _MOST_FOUND), compare=False, repr=False)

    def once(self, find: Callable[..., Found], first: Any, *rest: Any) -> Found:
        """Return ``find`` of these arguments; call it once, however many steps ask.

        Options made from these share the results. Texts are compared as texts, other values by
        identity: a value is kept here, and nobody may change it or the result.
        """
        key = find, first if isinstance(first, str) else id(first), rest
        return self.memory.once(key, lambda: (find(first, *rest), first))[0]

    def document(self, value: Any) -> Document:
        """Return the document of a value, with its text as typed."""
        return self.once(Document, value, self.typed)

    def count(self, text: str) -> int:
        """Count the tokens of a text."""
        return self.once(self.tokenizer.count, text)

    def write(self, value: Any, format: str) -> str:
        """Write the value in a format; as compact JSON, in its shortest equivalent text.

        Raises:
            ValueError: The format cannot carry the value.
        """
        return self.document(value).text(format, self.tokenizer.name)

    def price(self, format: str, text: str) -> tuple[int, int]:
        """Count the tokens of a text, and those of its format's explanation beyond JSON's."""
        uses = self.once(FORMATS[format].uses, text)
        return self.count(text), self.explaining.tokens(format, uses, self.tokenizer.name)

    def prove(self, value: Any, format: str) -> Proof:
        """Prove that the value comes back from its text in a format, or that it does not."""
        return self.document(value).proof(format, self.tokenizer.name)

    def may_send(self, value: Any, format: str) -> bool:
        """Return whether a format may be recommended: the value comes back from its text."""
        return self.prove(value, format).ok

    def scalars(self, value: Any) -> Scalars:
        """Return the scalars of a value with their paths."""
        return self.once(_listed_scalars, value)


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of a step.

    ``value`` is what is sent, ``legend`` its part that explains the rest. ``kept`` is what the
    caller keeps to undo the step; it is not sent to the model. Both are plain JSON. ``lost`` says
    in words what cannot be restored. ``format`` is the format to write the value in, None if the
    step does not change it. ``explanation`` tells a model how to read the value.
    """

    value: Any
    note: str
    lost: str | None = None
    legend: Any = None
    kept: Any = None
    format: str | None = None
    explanation: str = ""


class Step(Protocol):
    """A way to make a payload smaller.

    Laws: ``undo(apply(value))`` equals ``value`` unless the step is lossy. A self-contained step
    keeps nothing. No step changes the value it is given. ``unanswerable`` completes the sentence
    "A model can no longer say ..."; None for a self-contained step.
    """

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def kind(self) -> StepKind: ...
    @property
    def unanswerable(self) -> str | None: ...

    def apply(self, value: Any, options: StepOptions) -> Applied:
        """Return the value after the step.

        Raises:
            NotApplicable: There is nothing to do; the message gives the reason.
        """

    def undo(self, applied: Applied) -> Any:
        """Restore the value before the step, from ``value`` and ``kept`` alone.

        Raises:
            ValueError: The step is lossy.
        """


class SelfContained:
    """The kind of self-contained steps; ``undo`` is for those that leave the value unchanged."""

    kind: Final = "self-contained"
    unanswerable: Final = None

    def undo(self, applied: Applied) -> Any:
        return applied.value


class Lossy:
    """The kind and ``undo`` of a lossy step; ``undo`` always raises."""

    kind: Final = "lossy"

    def undo(self, applied: Applied) -> Any:
        raise ValueError(f"this cannot be undone: {applied.lost}")


def _listed_scalars(value: Any) -> Scalars:
    return list(scalars(value))


def rebuild(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy in which ``change`` replaced every object and array, the innermost first.

    Written with loops: a comprehension would take two frames a level, and values may be 256 deep.
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
    """Return a copy in which texts that are keys of ``replacements`` are replaced."""
    get = replacements.get
    return replaced(value, lambda item: get(item, item))
