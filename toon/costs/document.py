"""One payload and what follows from it: its texts, their tokens and their proofs, each found once.

Everything that is said about a payload is asked of its document, so that pages, commands, reports
and routes cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final, NotRequired, TypeAlias, TypedDict, TypeVar, TypeVarTuple

from toon import tokenizers
from toon.codec.normalise import is_normalised, normalise
from toon.costs.explanation import Explaining
from toon.costs.memory import Memory
from toon.costs.proof import Proof, Prover
from toon.costs.typed import Typed
from toon.errors import EncodeError
from toon.formats import AS_TYPED, BASELINES, FORMATS, Format
from toon.formats.base import NotApplicable
from toon.formats.json import JSON_COMPACT, JsonFormat
from toon.layout.breakdown import breakdown
from toon.layout.spans import Layout
from toon.limits import DEFAULT_TOKENIZER
from toon.text import Notice
from toon.tokenizers import Tokenizer

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

#: What a text is asked for by.
Name: TypeAlias = str | Format

#: Things that a document keeps of what was found; all are dropped where there would be more.
_MOST_FOUND: Final = 1_000


class Kinds(TypedDict):
    """Tokens by kind, which add up to all tokens; ``mixed_tokens`` is how many span kinds."""

    names: float
    punctuation: float
    whitespace: float
    values: float
    mixed_tokens: int


class Figures(TypedDict):
    """What one text costs. ``bytes`` are UTF-8, ``chars`` code points.

    ``exact`` is False for the rule of thumb alone. Tokens by kind are there where they are asked
    for.
    """

    tokens: int
    exact: bool
    bytes: int
    chars: int
    breakdown: NotRequired[Kinds]


class Document:
    """A JSON value, and the text that it was read from where there is one.

    Its texts go by the names of :data:`toon.formats.FORMATS` and ``AS_TYPED``, or by a format that
    is in no table. Compact JSON is the shortest JSON that says the same, which depends on the
    tokenizer. Nobody may change the value or what was found.

    Attributes:
        value: As it was read.
        typed: The text as typed, logged or received; None if the value alone is known.
        notices: What the reader of that text remarked.
    """

    def __init__(
        self, value: Any, typed: Typed | None = None, notices: tuple[Notice, ...] = ()
    ) -> None:
        self.value, self.typed, self.notices = value, typed, notices
        self._memory = Memory(_MOST_FOUND)
        self._texts: dict[Name, str | None] = {}
        self._refusals: dict[Name, ValueError] = {}

    @classmethod
    def of(cls, value: Any, typed: Typed | None = None) -> Document:
        """The document of any value with a JSON form.

        Raises:
            EncodeError: The value has none, or is nested deeper than 256 levels.
        """
        return cls(value if is_normalised(value) else normalise(value), typed)

    def ask(self, function: Callable[[Document, *Arguments], Result], *args: *Arguments) -> Result:
        """What a function says of this document; it is called once for the same arguments."""
        return self._memory.once((function, args), function, self, *args)

    # -- its texts ---------------------------------------------------------------------------

    def format(self, name: Name) -> Format:
        """The format that reads the text of that name."""
        if isinstance(name, Format):
            return name
        return self.typed.format if name == AS_TYPED and self.typed else FORMATS[name]

    def text(self, name: Name, tokenizer: str = DEFAULT_TOKENIZER) -> str:
        """The text of that name.

        Raises:
            NotApplicable, EncodeError: The format cannot carry the value; the message says why.
        """
        if name == AS_TYPED and self.typed:
            return self.typed.text
        text = self._written(name)
        if text is None:
            raise self._refusals[name].with_traceback(None)
        return self.ask(Document._shortest, tokenizer) if name == JSON_COMPACT.name else text

    def written(self, names: Iterable[str]) -> list[str]:
        """Which of these formats can carry the value, the text as typed first if it is known."""
        typed = [AS_TYPED] if self.typed else []
        return typed + [name for name in names if self._written(name) is not None]

    def _written(self, name: Name) -> str | None:
        """The value in a format. TOON's forms have much in common: see ``dumps_beside``."""
        if name not in self._texts:
            try:
                format = name if isinstance(name, Format) else FORMATS[name]
                self._texts[name] = format.dumps_beside(self.value, self._texts)
            except (NotApplicable, EncodeError) as refusal:
                self._texts[name], self._refusals[name] = None, refusal
        return self._texts[name]

    def _shortest(self, tokenizer: str) -> str:
        """Compact JSON, or the typed JSON without its whitespace where that has fewer tokens.

        ``1e6`` is shorter than what ECMAScript writes, ``1000000``.
        """
        written, typed = self._texts[JSON_COMPACT.name] or "", self.typed
        if typed is None or not isinstance(typed.format, JsonFormat) or typed.stripped == written:
            return written
        return min(written, typed.stripped, key=lambda text: self.count(text, tokenizer))

    # -- what they cost ----------------------------------------------------------------------

    def tokens(self, name: Name, tokenizer: str) -> int:
        """The tokens of the text of that name."""
        return self.count(self.text(name, tokenizer), tokenizer)

    def count(self, text: str, tokenizer: str) -> int:
        """The tokens of a text, which is counted once."""
        return self.ask(Document._count, text, tokenizer)

    def _count(self, text: str, tokenizer: str) -> int:
        return tokenizers.get(tokenizer).count(text)

    def figures(self, name: Name, tokenizer: str) -> Figures:
        """What the text of that name costs, and where its tokens go."""
        return self.ask(Document._figures, name, tokenizer)

    def _figures(self, name: Name, tokenizer: str) -> Figures:
        text = self.text(name, tokenizer)
        found = count_kinds(text, self.format(name).layout(text), tokenizers.get(tokenizer))
        self._memory.keep((Document._count, (text, tokenizer)), found["tokens"])
        return found

    def sizes(self, name: Name, tokenizer: str) -> Figures:
        """What the text of that name costs, without where its tokens go."""
        text, counter = self.text(name, tokenizer), tokenizers.get(tokenizer)
        return {
            "tokens": self.count(text, tokenizer),
            "exact": counter.exact,
            "bytes": len(text.encode()),
            "chars": len(text),
        }

    def uses(self, name: Name, tokenizer: str) -> frozenset[str]:
        """The constructs that explaining that text must name."""
        return self.ask(Document._uses, name, self.text(name, tokenizer))

    def _uses(self, name: Name, text: str) -> frozenset[str]:
        return self.format(name).uses(text)

    def explanation(self, name: Name, tokenizer: str, explaining: Explaining) -> int:
        """The tokens that explaining that text takes once, beyond JSON's.

        The text as typed is what is sent today: what explains it is in it, or is sent by nobody.
        """
        if name == AS_TYPED:
            return 0
        return explaining.tokens(self.format(name).name, self.uses(name, tokenizer), tokenizer)

    # -- what holds of them ------------------------------------------------------------------

    def proof(self, name: Name, tokenizer: str = DEFAULT_TOKENIZER) -> Proof:
        """Whether the value comes back from the text of that name.

        The text as typed needs no proof: the value was read from it.
        """
        if name == AS_TYPED:
            return Proof(True)
        return self.ask(Document._proof, name, self.text(name, tokenizer))

    def known_proof(self, name: Name, tokenizer: str) -> Proof | None:
        """The proof of that text, if somebody has asked for it or it takes no time."""
        if name == AS_TYPED or name in BASELINES:
            return self.proof(name, tokenizer)
        key = Document._proof, (name, self.text(name, tokenizer))
        proof: Proof | None = self._memory.known(key)
        return proof

    @cached_property
    def _prover(self) -> Prover:
        return Prover(self.value)

    def _proof(self, name: Name, text: str) -> Proof:
        return self._prover.prove(self.format(name), text)

    def may_send(self, name: Name, tokenizer: str) -> bool:
        """Whether a text may be recommended: its value comes back."""
        return self.proof(name, tokenizer).ok

    def nothing(self) -> str | None:
        """Why there is nothing that formats could write differently; None if there is."""
        value = self.value
        if isinstance(value, dict | list):
            kind = "object" if isinstance(value, dict) else "array"
            return None if value else f"Nothing to compare: the payload is an empty {kind}"
        kinds = {str: "text", bool: "boolean", type(None): "null"}
        return f"Nothing to compare: the payload is a single {kinds.get(type(value), 'number')}"


def count_kinds(text: str, layout: Layout, tokenizer: Tokenizer) -> Figures:
    """What ``text`` costs, and where its tokens go."""
    parts = breakdown(text, layout, tokenizer)
    return {
        "tokens": parts.tokens,
        "exact": tokenizer.exact,
        "bytes": len(layout),
        "chars": len(text),
        "breakdown": {
            "names": parts.names,
            "punctuation": parts.punctuation,
            "whitespace": parts.whitespace,
            "values": parts.values,
            "mixed_tokens": parts.mixed_tokens,
        },
    }
