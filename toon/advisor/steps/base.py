"""What the steps share: their protocol, their input and their result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

from toon import tokenizers
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.memory import Memory
from toon.costs.proof import Proof
from toon.costs.typed import Typed
from toon.formats import FORMATS
from toon.limits import DEFAULT_TOKENIZER
from toon.tokenizers import Tokenizer
from toon.values.paths import Path
from toon.values.walks import replaced, scalars

Found = TypeVar("Found")
#: Every scalar of a value with its path, in order.
Scalars: TypeAlias = list[tuple[Path, Any]]

#: Things that the steps keep of what was found; all are dropped where there would be more.
_MOST_FOUND: Final = 10_000

#: Who can undo a step: any reader of what is sent, only who keeps a map beside it, nobody.
StepKind: TypeAlias = Literal["self-contained", "with-a-map", "lossy"]

#: From the least harm to the most; several steps together are as harmful as the worst of them.
STEP_KINDS: Final[tuple[StepKind, ...]] = ("self-contained", "with-a-map", "lossy")


@dataclass(frozen=True, slots=True)
class StepOptions:
    """What a step may depend on.

    ``tokenizer`` counts, ``format`` is the format the value is written in now, ``keep_fields``
    are the patterns of the fields to keep, ``typed`` is the text of this very value as typed,
    ``explaining`` is how explanations are counted, ``memory`` keeps what was found.
    """

    tokenizer: Tokenizer = field(default_factory=lambda: tokenizers.get(DEFAULT_TOKENIZER))
    format: str = "json-compact"
    keep_fields: tuple[str, ...] | None = None
    typed: Typed | None = None
    explaining: Explaining = ALONE
    memory: Memory = field(default_factory=partial(Memory, _MOST_FOUND), compare=False, repr=False)

    def once(self, find: Callable[..., Found], first: Any, *rest: Any) -> Found:
        """The result of ``find`` for these arguments, worked out once however many steps ask.

        Options made from these share it. Texts are compared as texts, other values by identity:
        such a value is kept here, and nobody may change it or the result.
        """
        key = find, first if isinstance(first, str) else id(first), rest
        return self.memory.once(key, lambda: (find(first, *rest), first))[0]

    def document(self, value: Any) -> Document:
        """The value with the text that was typed of it."""
        return self.once(Document, value, self.typed)

    def count(self, text: str) -> int:
        """The tokens of a text."""
        return self.once(self.tokenizer.count, text)

    def write(self, value: Any, format: str) -> str:
        """The value in a format; as compact JSON, the shortest text that says the same.

        Raises:
            ValueError: The format cannot carry the value.
        """
        return self.document(value).text(format, self.tokenizer.name)

    def price(self, format: str, text: str) -> tuple[int, int]:
        """The tokens of a text, and those that explain its format, once and beyond JSON's."""
        uses = self.once(FORMATS[format].uses, text)
        return self.count(text), self.explaining.tokens(format, uses, self.tokenizer.name)

    def prove(self, value: Any, format: str) -> Proof:
        """Whether the value comes back from its text in a format."""
        return self.document(value).proof(format, self.tokenizer.name)

    def may_send(self, value: Any, format: str) -> bool:
        """Whether a format may be recommended: the value comes back from its text."""
        return self.document(value).may_send(format, self.tokenizer.name)

    def scalars(self, value: Any) -> Scalars:
        """The scalars of a value."""
        return self.once(_listed_scalars, value)


@dataclass(frozen=True, slots=True)
class Applied:
    """A value after a step.

    ``value`` is what is sent, ``legend`` the part of it that explains the rest. ``kept`` is what
    the caller keeps to undo the step; it is not sent to the model. Both are plain JSON. ``lost``
    says in words what cannot be restored. ``format`` is the format to write the value in, None
    if the step does not change it. ``explanation`` is what a model must be told to read the value.
    """

    value: Any
    note: str
    lost: str | None = None
    legend: Any = None
    kept: Any = None
    format: str | None = None
    explanation: str = ""


class Step(Protocol):
    """One way to send less.

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
        """The value after the step.

        Raises:
            NotApplicable: There is nothing to do; the message gives the reason.
        """

    def undo(self, applied: Applied) -> Any:
        """The value before the step, from ``value`` and ``kept`` alone.

        Raises:
            ValueError: The step is lossy.
        """


class SelfContained:
    """What self-contained steps share; ``undo`` is for those that leave the value as it is."""

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
    """A copy in which ``change`` replaced every object and array, the innermost first.

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
    """A copy in which every text that is a key of ``replacements`` is replaced."""
    get = replacements.get
    return replaced(value, lambda item: get(item, item))
