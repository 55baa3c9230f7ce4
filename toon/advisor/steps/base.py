"""What the steps share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

from toon import tokenizers
from toon.tokenizers import Tokenizer

Kind: TypeAlias = Literal["lossless", "reversible", "lossy"]

#: From the least harm to the most; several steps together are as harmful as the worst of them.
KINDS: Final[tuple[Kind, ...]] = ("lossless", "reversible", "lossy")


@dataclass(frozen=True, slots=True)
class Options:
    """What a step may want to know: who counts, the format now, the fields that are to stay."""

    tokenizer: Tokenizer = field(default_factory=lambda: tokenizers.get("o200k_base"))
    format: str = "json-compact"
    keep_fields: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """A value after a step.

    ``value`` is what is sent, ``legend`` the part of it that explains the rest. ``kept`` is what
    the caller keeps, to undo the step with; the model neither needs nor sees it. Both are plain
    JSON. ``lost`` says in words what cannot be put back. ``format`` is the one to write the value
    in, None if the step leaves it.
    """

    value: Any
    note: str
    lost: str | None = None
    legend: Any = None
    kept: Any = None
    format: str | None = None


class Step(Protocol):
    """One way to send less.

    Law: ``undo(apply(value))`` equals ``value`` unless the step is lossy. No step changes the
    value it is given.
    """

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def kind(self) -> Kind: ...

    def apply(self, value: Any, options: Options) -> Applied:
        """The value after the step; NotApplicable, with the reason, if there is nothing to do."""

    def undo(self, applied: Applied) -> Any:
        """The value before the step, from ``value`` and ``kept`` alone.

        Raises:
            ValueError: the step is lossy.
        """


class Lossy:
    """Gives a lossy step its ``undo``, which refuses."""

    kind: Final = "lossy"

    def undo(self, applied: Applied) -> Any:
        raise ValueError(f"this cannot be undone: {applied.lost}")


def plural(count: int, one: str, many: str | None = None) -> str:
    """The count and what is counted, as in ``1 text``, ``1,200 texts``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(names: Iterable[str], limit: int = 5) -> str:
    """The names with commas between, and how many more there are."""
    every = list(names)
    more = f" and {len(every) - limit:,} more" if len(every) > limit else ""
    return ", ".join(every[:limit]) + more
