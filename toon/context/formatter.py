"""A writer of what agents send to models, which counts what each call and each run saves.

Objects and arrays with content are converted. Everything else is passed through unchanged, and
the result says why:

- ``None`` is written as ``null``; a string given as a value is text, even if it holds JSON;
- text that is blank or not JSON;
- scalars, ``{}`` and ``[]``: in TOON ``{}`` is the empty text, so a tool result would vanish.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from toon import tokenizers
from toon.codec.normalise import normalise
from toon.costs.document import Document, Typed
from toon.errors import EncodeError, JsonDecodeError
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import ToonFormat
from toon.limits import DEFAULT_TOKENIZER
from toon.text import Notice
from toon.values.json_text import parse_json

if TYPE_CHECKING:
    from toon.codec.text import Delimiter

Outcome = Literal["converted", "passed", "failed"]
Fallback = Literal["smaller"]
#: The formats that structured data can take in a prompt.
ContextFormat = Literal["json", "toon"]
_FORMATS: Final[tuple[ContextFormat, ...]] = get_args(ContextFormat)
#: The figures of a result that are added up, by their names in both classes.
_SUMMED: Final = ("json_tokens", "pretty_tokens", "toon_tokens", "saved_tokens")


@dataclass(frozen=True, slots=True)
class Result:
    """A tool result as text for a prompt, and the tokens of that text and of others for its value.

    ``outcome`` is "converted", "passed" (unchanged) or "failed" (JSON that the format cannot carry,
    unchanged too); ``reason`` says why a text was not converted. ``sent_tokens`` counts ``text``.
    ``json_tokens``, ``pretty_tokens`` and ``toon_tokens`` count the same value as compact JSON,
    indented JSON and TOON. All three are None if there is nothing to compare: no JSON container, or
    no tokenizer. ``notices`` come from reading the JSON text, such as a key that appears twice.
    """

    text: str
    outcome: Outcome
    reason: str | None
    tokenizer: str | None
    sent_tokens: int | None
    json_tokens: int | None = None
    pretty_tokens: int | None = None
    toon_tokens: int | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def converted(self) -> bool:
        """Whether a tool result was written as TOON, and not passed on unchanged."""
        return self.outcome == "converted"

    @property
    def saved_tokens(self) -> int | None:
        """Tokens saved over compact JSON by a sent text, negative for more; None if uncounted."""
        if self.json_tokens is None or self.sent_tokens is None:
            return None
        return self.json_tokens - self.sent_tokens


@dataclass(frozen=True, slots=True)
class ContextConfig:
    """The choices of how structured data is written for a model; the constructor checks them.

    Args:
        format: "json" (the default) or "toon".
        delimiter: ``","``, ``"\\t"`` or ``"|"``, for TOON.
        fallback: "smaller" sends JSON if the format does not have fewer tokens: as given or
            compact, whichever has fewer. No call then costs more than compact JSON.
        tokenizer: The name of the tokenizer that counts; None counts nothing, and every figure
            is None.

    Raises:
        ValueError: An unknown option value; the message lists the known ones.
        RuntimeError: The tokenizer needs something that is missing; the message names it.
    """

    format: ContextFormat = "json"
    delimiter: Delimiter = ","
    fallback: Fallback | None = None
    tokenizer: str | None = DEFAULT_TOKENIZER

    def __post_init__(self) -> None:
        if self.format not in _FORMATS:
            names = ", ".join(_FORMATS)
            raise ValueError(f"no context format {self.format!r}; there are {names}")
        if self.fallback not in (None, "smaller"):
            raise ValueError(f"fallback is None or 'smaller', not {self.fallback!r}")
        if self.fallback and self.tokenizer is None:
            raise ValueError("fallback='smaller' compares tokens: it needs a tokenizer")
        self.toon_format.dumps(None)
        if self.tokenizer is not None:
            tokenizers.get(self.tokenizer).count("")

    @property
    def toon_format(self) -> ToonFormat:
        return ToonFormat("toon", "TOON", self.delimiter)


@dataclass(frozen=True, slots=True)
class Savings:
    """The totals of an agent's run: its tool results by outcome, and the tokens of their texts.

    ``sent_tokens`` counts all texts sent; it is None as soon as one of them could not be counted.
    ``json_tokens``, ``pretty_tokens``, ``toon_tokens`` and ``saved_tokens`` are sums over the
    ``compared`` calls, those whose :class:`Result` has these figures; None if there are none.
    """

    converted: int = 0
    passed: int = 0
    failed: int = 0
    compared: int = 0
    sent_tokens: int | None = 0
    json_tokens: int | None = None
    pretty_tokens: int | None = None
    toon_tokens: int | None = None
    saved_tokens: int | None = None

    def plus(self, result: Result) -> Savings:
        """Add the result of one more call to these totals of a run; return the new totals."""
        sent, new = self.sent_tokens, result.sent_tokens
        total = replace(
            self,
            **{result.outcome: getattr(self, result.outcome) + 1},
            sent_tokens=None if sent is None or new is None else sent + new,
        )
        if result.saved_tokens is None:
            return total
        sums = {name: (getattr(self, name) or 0) + (getattr(result, name) or 0) for name in _SUMMED}
        return replace(total, compared=self.compared + 1, **sums)


class Run:
    """A writer of values and JSON texts for an agent's run, as configured; it sums the savings.

    Threads may share it. ``savings`` has the totals over the calls so far.
    """

    def __init__(self, config: ContextConfig | None = None) -> None:
        self.config = config or ContextConfig()
        self.savings = Savings()
        self._lock = Lock()

    def format(self, value: Any) -> Result:
        """Write a tool result, any value, as JSON or TOON, as configured; a string stays unchanged.

        Return the text and its token figures, which are added to ``savings``.

        Raises:
            EncodeError: The value has no JSON form; its ``path`` says where. The call is
                counted as failed.
        """
        try:
            value = normalise(value)
        except EncodeError:
            with self._lock:
                self.savings = replace(self.savings, failed=self.savings.failed + 1)
            raise
        if isinstance(value, str):
            return self._add(self._pass_on(value, "plain text"))
        return self._add(self._convert(value, JSON_COMPACT.dumps(value)))

    def format_json(self, text: str | None) -> Result:
        """Write a JSON text as JSON or TOON, as configured; return a Result, added to ``savings``.

        Other text stays unchanged; None is ``null``.
        """
        if text is None:
            return self.format(None)
        if not text.strip():
            return self._add(self._pass_on(text, "blank"))
        try:
            parsed = parse_json(text)
        except JsonDecodeError as error:
            looks_like_json = text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")
            reason = f"not JSON: {error}" if looks_like_json else "plain text"
            return self._add(self._pass_on(text, reason))
        return self._add(replace(self._convert(parsed.value, text), notices=parsed.notices))

    def _add(self, result: Result) -> Result:
        with self._lock:
            self.savings = self.savings.plus(result)
        return result

    def _convert(self, value: Any, text: str) -> Result:
        """Return a JSON value in the configured format, or ``text``, its own, as a Result."""
        if not isinstance(value, dict | list):
            return self._pass_on(text, "a scalar: nothing to convert")
        if not value:
            kind = "object" if isinstance(value, dict) else "array"
            return self._pass_on(text, f"an empty {kind}: nothing to convert")
        try:
            toon_text = self.config.toon_format.dumps(value)
        except EncodeError as error:
            return self._pass_on(text, f"no TOON form: {error}", "failed")
        json = self._pass_on(text, "the format is JSON")
        compact = text
        if self.config.tokenizer is not None:
            document = Document(value, Typed(text))
            compact = document.text(JSON_COMPACT.name, self.config.tokenizer)
            json = replace(
                json,
                json_tokens=self._count(compact),
                pretty_tokens=self._count(JSON_PRETTY.dumps(value)),
                toon_tokens=self._count(toon_text),
            )
        if self.config.format == "json":
            return json
        toon = replace(
            json, text=toon_text, outcome="converted", reason=None, sent_tokens=json.toon_tokens
        )
        if self.config.fallback is None:
            return toon
        if _cost(json.json_tokens) < _cost(json.sent_tokens):
            json = replace(json, text=compact, sent_tokens=json.json_tokens)
        if _cost(toon.sent_tokens) < _cost(json.sent_tokens):
            return toon
        words = f"TOON is not smaller: {toon.sent_tokens} tokens, JSON {json.sent_tokens}"
        return replace(json, reason=words)

    def _pass_on(self, text: str, reason: str | None, outcome: Outcome = "passed") -> Result:
        return Result(text, outcome, reason, self.config.tokenizer, self._count(text))

    def _count(self, text: str) -> int | None:
        if self.config.tokenizer is None:
            return None
        try:
            return tokenizers.get(self.config.tokenizer).count(text)
        except UnicodeEncodeError:  # a lone surrogate: no tokenizer can read it
            return None


def _cost(count: int | None) -> float:
    return float("inf") if count is None else count
