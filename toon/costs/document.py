"""A payload with its texts, their tokens and their proofs, each computed once.

Pages, commands, reports and routes all ask the document, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

#: The key of a document's text.
Name: TypeAlias = str | Format

#: Results that a document keeps; all are dropped where there would be more.
_MOST_FOUND: Final = 1_000


class Kinds(TypedDict):
    """Tokens by kind, which add up to all tokens; ``mixed_tokens`` is how many span kinds."""

    names: float
    punctuation: float
    whitespace: float
    values: float
    mixed_tokens: int


class Figures(TypedDict):
    """The size of one text. ``bytes`` are UTF-8, ``chars`` code points.

    ``exact`` is False for the rule of thumb alone. ``breakdown`` is there only if asked for.
    """

    tokens: int
    exact: bool
    bytes: int
    chars: int
    breakdown: NotRequired[Kinds]


class Document:
    """A JSON value, and the text that it was read from, if known.

    Its texts go by the names of :data:`toon.formats.FORMATS` and ``AS_TYPED``, or by a format that
    is in no table. Compact JSON is the shortest JSON of the value, which depends on the tokenizer.
    Neither the value nor a result may be changed.

    Attributes:
        value: The value as it was read.
        typed: The text as typed, logged or received; None if the value alone is known.
        notices: The remarks of the text's reader.
    """

    def __init__(
        self, value: Any, typed: Typed | None = None, notices: tuple[Notice, ...] = ()
    ) -> None:
        self.value, self.typed, self.notices = value, typed, notices
        self._memory, self._prover = Memory(_MOST_FOUND), Prover(value)
        self._texts: dict[Name, str | None] = {}
        self._refusals: dict[Name, ValueError] = {}

    @classmethod
    def of(cls, value: Any, typed: Typed | None = None) -> Document:
        """Return the document of any value with a JSON form.

        Raises:
            EncodeError: The value has none, or is nested deeper than 256 levels.
        """
        return cls(value if is_normalised(value) else normalise(value), typed)

    def ask(self, function: Callable[[Document, *Arguments], Result], *args: *Arguments) -> Result:
        """Return a function's result for this document; call it once for the same arguments."""
        return self._memory.once((function, args), function, self, *args)

    # -- texts -------------------------------------------------------------------------------

    def format(self, name: Name) -> Format:
        """Return the format ``name``, or the one that reads the text as typed."""
        if isinstance(name, Format):
            return name
        return self.typed.format if name == AS_TYPED and self.typed else FORMATS[name]

    def text(self, name: Name, tokenizer: str = DEFAULT_TOKENIZER) -> str:
        """Return the value's text in the format ``name``, or the text as typed.

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
        """Return the formats that can carry the value, first the text as typed if known."""
        typed = [AS_TYPED] if self.typed else []
        return typed + [name for name in names if self._written(name) is not None]

    def _written(self, name: Name) -> str | None:
        """Return the value in a format, or None. TOON's forms share work: see ``dumps_beside``."""
        if name not in self._texts:
            try:
                format = name if isinstance(name, Format) else FORMATS[name]
                self._texts[name] = format.dumps_beside(self.value, self._texts)
            except (NotApplicable, EncodeError) as refusal:
                self._texts[name], self._refusals[name] = None, refusal
        return self._texts[name]

    def _shortest(self, tokenizer: str) -> str:
        """Return compact JSON, or the typed JSON without whitespace if that has fewer tokens.

        ``1e6`` is shorter than ECMAScript's ``1000000``.
        """
        written, typed = self._texts[JSON_COMPACT.name] or "", self.typed
        if typed is None or not isinstance(typed.format, JsonFormat) or typed.stripped == written:
            return written
        return min(written, typed.stripped, key=lambda text: self.count(text, tokenizer))

    # -- tokens ------------------------------------------------------------------------------

    def tokens(self, name: Name, tokenizer: str) -> int:
        """Return the tokens of the value's text in the format ``name``, or of the text as typed."""
        return self.count(self.text(name, tokenizer), tokenizer)

    def count(self, text: str, tokenizer: str) -> int:
        """Return the tokens of a text, which is counted once."""
        count = tokenizers.get(tokenizer).count
        return self._memory.once(("count", text, tokenizer), count, text)

    def figures(self, name: Name, tokenizer: str) -> Figures:
        """Return the size of the value's text in a format, with its tokens by kind."""
        return self.ask(Document._figures, name, tokenizer)

    def _figures(self, name: Name, tokenizer: str) -> Figures:
        text = self.text(name, tokenizer)
        found = count_kinds(text, self.format(name).layout(text), tokenizers.get(tokenizer))
        self._memory.keep(("count", text, tokenizer), found["tokens"])
        return found

    def sizes(self, name: Name, tokenizer: str) -> Figures:
        """Return the size of the value's text in a format, without its tokens by kind."""
        text, counter = self.text(name, tokenizer), tokenizers.get(tokenizer)
        return {
            "tokens": self.count(text, tokenizer),
            "exact": counter.exact,
            "bytes": len(text.encode()),
            "chars": len(text),
        }

    def uses(self, name: Name, tokenizer: str) -> frozenset[str]:
        """Return the constructs of the text in a format that its explanation must mention."""
        text = self.text(name, tokenizer)
        return self._memory.once(("uses", name, text), self.format(name).uses, text)

    def explanation(self, name: Name, tokenizer: str, explaining: Explaining) -> int:
        """Return the tokens by which explaining the text in a format once exceeds explaining JSON.

        It is 0 for the text as typed, which is sent today with its explanation or without any.
        """
        if name == AS_TYPED:
            return 0
        return explaining.tokens(self.format(name).name, self.uses(name, tokenizer), tokenizer)

    # -- proofs ------------------------------------------------------------------------------

    def proof(self, name: Name, tokenizer: str = DEFAULT_TOKENIZER) -> Proof:
        """Return whether the value comes back from its text in a format, with the difference.

        The text as typed needs no proof: the value was read from it.
        """
        if name == AS_TYPED:
            return Proof(True)
        text = self.text(name, tokenizer)
        return self._memory.once(("proof", name, text), self._prover.prove, self.format(name), text)

    def known_proof(self, name: Name, tokenizer: str) -> Proof | None:
        """Return the proof of the text in a format if known already or free of cost, else None."""
        if name == AS_TYPED or name in BASELINES:
            return self.proof(name, tokenizer)
        proof: Proof | None = self._memory.known(("proof", name, self.text(name, tokenizer)))
        return proof

    def comes_back(self, name: Name, tokenizer: str) -> bool:
        """Return whether the value comes back from its text in a format, so that it may be sent."""
        return self.proof(name, tokenizer).ok

    def nothing(self) -> str | None:
        """Return why the formats cannot differ on this value, or None."""
        value = self.value
        if isinstance(value, dict | list):
            kind = "object" if isinstance(value, dict) else "array"
            return None if value else f"Nothing to compare: the payload is an empty {kind}"
        kinds = {str: "text", bool: "boolean", type(None): "null"}
        return f"Nothing to compare: the payload is a single {kinds.get(type(value), 'number')}"


def count_kinds(text: str, layout: Layout, tokenizer: Tokenizer) -> Figures:
    """Return the size of ``text``, with its tokens by kind."""
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
