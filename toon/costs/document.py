"""A payload with its texts, their tokens and their proofs, each computed once.

Pages, commands, reports and routes all ask the document, so that they cannot differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NotRequired, TypeAlias, TypedDict, TypeVar, TypeVarTuple

import orjson

from toon import tokenizers
from toon.codec.normalise import normalise
from toon.costs.explanation import Explaining
from toon.errors import EncodeError
from toon.formats import AS_TYPED, BASELINES, FORMATS, Format
from toon.formats.base import NotApplicable, OneWay
from toon.formats.json import JSON_COMPACT, JSON_PRETTY, JsonFormat, minify
from toon.layout.spans import Kinds, breakdown
from toon.limits import DEFAULT_TOKENIZER
from toon.text import Notice
from toon.values.equality import differences, dump_bytes
from toon.values.json_text import parse_json
from toon.values.json_writing import ecmascript

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

#: The key of a document's text.
Name: TypeAlias = str | Format

#: Results that a document keeps; all are dropped where there would be more.
_MOST_RESULTS: Final = 1_000
#: A mark for missing results: a result may be None.
_MISSING: Final[Any] = object()
_write_ascii: Final = json.JSONEncoder(separators=(",", ":")).encode


class Memory:
    """A bounded cache of results by key; all are dropped where there would be more than ``most``.

    Threads may share it: those that compute one result at the same time all get the first.
    """

    def __init__(self, most: int) -> None:
        self._results: dict[Hashable, Any] = {}
        self._most = most

    def recall(
        self, key: Hashable, find: Callable[[*Arguments], Result], *args: *Arguments
    ) -> Result:
        """Return the result kept under ``key``, or else call ``find`` with ``args`` and keep it."""
        result: Result = self._results.get(key, _MISSING)
        return self.keep(key, find(*args)) if result is _MISSING else result

    def keep(self, key: Hashable, result: Result) -> Result:
        """Keep a result under ``key``, unless there is one already; return the one that is kept."""
        if len(self._results) >= self._most:
            self._results.clear()
        first: Result = self._results.setdefault(key, result)
        return first

    def get(self, key: Hashable) -> Any:
        return self._results.get(key)

    def drop(self, key: Hashable) -> None:
        self._results.pop(key, None)


@dataclass(frozen=True)
class Typed:
    """A payload's text as typed, logged or received, which is sent today, and its format."""

    text: str
    format: Format = JSON_PRETTY

    @cached_property
    def stripped(self) -> str:
        """The JSON text as typed, without the whitespace outside its strings."""
        return minify(self.text)

    def read_json(self) -> Any:
        """Return the value of the JSON text as typed, by orjson where that surely loses nothing.

        Raises:
            ValueError: The text is not JSON, or has no UTF-8 form.
        """
        try:
            value = orjson.loads(self.text)
            # If a writer gives the same text, the reader lost nothing: no name stands twice,
            # no digit is lost. Minus zero comes back as well, but is 0 for us.
            if "-0.0" not in self.text and (
                orjson.dumps(value) == self.stripped.encode()
                or ("\\u" in self.text and _write_ascii(value) == self.stripped)
            ):
                return value
        except (TypeError, ValueError):  # not JSON, or deep nesting
            pass
        return parse_json(self.text).value


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a round trip: whether a value comes back from its text.

    ``difference`` says in words what differs, also where only the order of keys does; it is None
    where nothing does.
    """

    ok: bool
    difference: str | None = None


def compare_values(value: Any, returned: Any) -> Proof:
    """Return a Proof: whether two JSON values are equal, key order aside, and what differs."""
    diff = differences(value, returned)
    return Proof(diff.same, None if diff.same and not diff.reordered else str(diff))


class Figures(TypedDict):
    """The size of a text: its tokens by one tokenizer, ``bytes`` of UTF-8, and code points.

    ``exact`` is False for the rule of thumb alone. ``breakdown`` is there only if asked for.
    """

    tokens: int
    exact: bool
    bytes: int
    chars: int
    breakdown: NotRequired[Kinds]


class Document:
    """A payload: a JSON value, its texts in all formats, and the text that it was read from.

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
        self._memory = Memory(_MOST_RESULTS)
        self._texts: dict[Name, str | None] = {}
        self._refusals: dict[Name, ValueError] = {}

    @classmethod
    def of(cls, value: Any, typed: Typed | None = None) -> Document:
        """Return the payload document of any Python value with a JSON form.

        Raises:
            EncodeError: The value has none, or is nested deeper than 256 levels.
        """
        return cls(normalise(value), typed)

    def ask(self, function: Callable[[Document, *Arguments], Result], *args: *Arguments) -> Result:
        """Return what ``function`` returns for this payload and ``args``; call it once for them."""
        return self._memory.recall((function, args), function, self, *args)

    # -- texts -------------------------------------------------------------------------------

    def format(self, name: Name) -> Format:
        """Return the format called ``name``; for ``AS_TYPED`` that of the text as typed."""
        if isinstance(name, Format):
            return name
        return self.typed.format if name == AS_TYPED and self.typed else FORMATS[name]

    def text(self, name: Name, tokenizer: str = DEFAULT_TOKENIZER) -> str:
        """Return the JSON value written in the format ``name``, or the text as typed.

        Compact JSON is the typed JSON without whitespace where that has fewer tokens: ``1e6`` is
        shorter than ECMAScript's ``1000000``.

        Raises:
            NotApplicable, EncodeError: The format cannot carry the value; the message says why.
        """
        if name == AS_TYPED and self.typed:
            return self.typed.text
        text, typed = self._write(name), self.typed
        if text is None:
            raise self._refusals[name].with_traceback(None)
        if name != JSON_COMPACT.name or typed is None or not isinstance(typed.format, JsonFormat):
            return text
        texts = text, typed.stripped
        if texts[0] == texts[1]:
            return text
        key = "shortest", tokenizer
        return self._memory.recall(key, lambda: min(texts, key=lambda t: self.count(t, tokenizer)))

    def list_writable(self, names: Iterable[str]) -> list[str]:
        """Return the formats of ``names`` that can carry the JSON value.

        ``AS_TYPED`` is before them if the text as typed is known.
        """
        typed = [AS_TYPED] if self.typed else []
        return typed + [name for name in names if self._write(name) is not None]

    def _write(self, name: Name) -> str | None:
        """Return the JSON value written in a format, or None if that cannot carry it."""
        if name not in self._texts:
            try:
                format = name if isinstance(name, Format) else FORMATS[name]
                self._texts[name] = format.dumps_beside(self.value, self._texts)
            except (NotApplicable, EncodeError) as refusal:
                self._texts[name], self._refusals[name] = None, refusal
        return self._texts[name]

    # -- tokens ------------------------------------------------------------------------------

    def tokens(self, name: Name, tokenizer: str) -> int:
        """Count the tokens of the JSON value in the format ``name``, or of the text as typed."""
        return self.count(self.text(name, tokenizer), tokenizer)

    def count(self, text: str, tokenizer: str) -> int:
        """Return the number of tokens of any text by a tokenizer; each text is counted once."""
        key = "count", text, tokenizer
        return self._memory.recall(key, tokenizers.get(tokenizer).count, text)

    def figures(self, name: Name, tokenizer: str) -> Figures:
        """Count tokens, bytes and characters of the value in a format, and its tokens by kind."""
        return self._memory.recall(("figures", name, tokenizer), self._figures, name, tokenizer)

    def _figures(self, name: Name, tokenizer: str) -> Figures:
        text, layout = self.text(name, tokenizer), self.format(name).layout
        tokens, kinds = breakdown(text, layout(text), tokenizers.get(tokenizer))
        self._memory.keep(("count", text, tokenizer), tokens)
        return {**self.sizes(name, tokenizer), "breakdown": kinds}

    def sizes(self, name: Name, tokenizer: str) -> Figures:
        """Count tokens, bytes and characters of the JSON value written in a format."""
        text = self.text(name, tokenizer)
        return {
            "tokens": self.count(text, tokenizer),
            "exact": tokenizers.get(tokenizer).exact,
            "bytes": len(text.encode()),
            "chars": len(text),
        }

    def uses(self, name: Name, tokenizer: str) -> frozenset[str]:
        """Return the constructs in a payload's text in a format that a note on it must explain."""
        text = self.text(name, tokenizer)
        return self._memory.recall(("uses", name, text), self.format(name).uses, text)

    def explanation(self, name: Name, tokenizer: str, explaining: Explaining) -> int:
        """Return the tokens by which explaining the text in a format once exceeds explaining JSON.

        It is 0 for the text as typed, which is sent today with its explanation or without any.
        """
        if name == AS_TYPED:
            return 0
        return explaining.tokens(self.format(name).name, self.uses(name, tokenizer), tokenizer)

    # -- proofs ------------------------------------------------------------------------------

    def proof(self, name: Name, tokenizer: str = DEFAULT_TOKENIZER) -> Proof:
        """Return a Proof: whether the value comes back from its text in a format, and what differs.

        The text as typed needs no proof: the value was read from it.
        """
        if name == AS_TYPED:
            return Proof(True)
        text = self.text(name, tokenizer)
        return self._memory.recall(("proof", name, text), self.prove, self.format(name), text)

    def quick_proof(self, name: Name, tokenizer: str) -> Proof | None:
        """Return a Proof whether the value comes back from a format; None if not known yet."""
        if name == AS_TYPED or name in BASELINES:
            return self.proof(name, tokenizer)
        proof: Proof | None = self._memory.get(("proof", name, self.text(name, tokenizer)))
        return proof

    def explain_nothing(self) -> str | None:
        """Return in a sentence why all formats are alike for this JSON value, or None if not."""
        value = self.value
        if isinstance(value, dict | list):
            kind = "object" if isinstance(value, dict) else "array"
            return None if value else f"Nothing to compare: the payload is an empty {kind}"
        kinds = {str: "text", bool: "boolean", type(None): "null"}
        return f"Nothing to compare: the payload is a single {kinds.get(type(value), 'number')}"

    def prove(self, format: Format, text: str) -> Proof:
        """Read a text in ``format`` with our own reader; return a Proof: whether it gives the
        document's value, and what differs.
        """
        with suppress(ValueError, TypeError, RecursionError):  # or no text of this format
            if self._is_surely(format.skim(text)):
                return Proof(True)
        try:
            returned = format.loads(text)
        except OneWay as reason:
            return Proof(False, str(reason))
        except ValueError as error:
            return Proof(False, f"it cannot be read back: {error}")
        return Proof(True) if self._is_surely(returned) else compare_values(self.value, returned)

    def _is_surely(self, returned: Any) -> bool:
        """Return whether orjson writes a value that was read back like this document's value."""
        mine = self._memory.recall("bytes", dump_bytes, self.value)
        if mine is None:
            return False
        try:
            data = orjson.dumps(returned)
            if data == mine:
                return True
            # Slower, and seldom needed: with numbers as ECMAScript writes them, so 1.0 is 1.
            return ecmascript(data) == self._memory.recall("ecmascript", ecmascript, mine)
        except (TypeError, ValueError):  # no value of JSON's types, or nested too deep for orjson
            return False


def all_losses(format: Format, value: Any, text: str) -> list[str]:
    """Return in phrases what a JSON value loses in its text: as declared, and as read back."""
    declared, proof = format.losses(value), Document(value).prove(format, text)
    return declared if proof.ok else [*declared, f"reading it back: {proof.difference}"]
