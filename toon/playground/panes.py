"""The two editors' texts: one side is JSON, the other TOON or a dialect of it.

A pane is a text on one side with the options that it is read by. Routes and pages ask the same
pane, so that each result about a text is computed once.

Texts are kept only in this process's memory: nothing is written to disk. The browser sends a text
once, by HTTP; from then on the browser and the page's Python name it by its digest. When a text
arrives, texts that nobody asked for in some minutes are dropped with their results, and the oldest
ones where room is needed; the browser sends a dropped text again.
"""

from __future__ import annotations

import hashlib
import operator
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import cached_property, partial
from threading import Lock
from typing import (
    Any,
    Concatenate,
    Final,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
)

from toon.bounded import Stopped
from toon.codec.text import DEFAULT_DELIMITER, NAMED_DELIMITERS
from toon.costs.document import Document, Memory, Name, Proof, Typed, compare_values
from toon.errors import ToonDecodeError
from toon.formats import FORMATS, Format
from toon.formats.json import JSON_PRETTY
from toon.formats.pasted import PASTED
from toon.formats.toon import TOON_BY_DELIMITER, ToonFormat
from toon.limits import DOCUMENT_BYTES, DOCUMENT_SECONDS, SMALL_CHARACTERS
from toon.playground.detection import guess_dialect, read_toon
from toon.playground.foreign import read_pasted
from toon.playground.rewrite import Conversion
from toon.values.json_text import parse_json

#: The format in which a text was typed or pasted. The formats of ``toon.formats.pasted`` are on the
#: side of JSON: the pane shows the JSON read from them.
Side: TypeAlias = str
SIDES: Final[tuple[Side, ...]] = ("json", "toon", *PASTED)

#: The most results that a pane keeps; all are dropped when there would be more.
_MOST_RESULTS: Final = 256
#: The most panes with their results: those of a small text may take a hundred times its bytes.
_PANES: Final = 64

Arguments = TypeVarTuple("Arguments")
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Options(NamedTuple):
    """What the playground's controls are set to: delimiter and indent of TOON, strict reading.

    ``delimiter`` is a key of ``NAMED_DELIMITERS``. Values from outside are checked by the caller.
    """

    delimiter: str = DEFAULT_DELIMITER
    indent: int = 2
    strict: bool = True

    @property
    def toon(self) -> ToonFormat:
        """The TOON format with the delimiter and indent that the controls are set to."""
        return ToonFormat("toon", "TOON", NAMED_DELIMITERS[self.delimiter], self.indent)

    def output_format(self, side: Side) -> Name:
        """Return the format that fills editor ``side`` from the other: indented JSON or TOON."""
        if side == "json":
            return JSON_PRETTY.name
        return TOON_BY_DELIMITER[self.delimiter] if self.indent == 2 else self.toon

    def format_of(self, side: Side, text: str) -> Format:
        """Return the format of a text typed in one editor; in TOON's it may be one of a dialect."""
        if side != "toon":
            return PASTED.get(side, JSON_PRETTY)
        name = guess_dialect(text)
        return self.toon if name == "toon" else FORMATS[name]


class Runner(Protocol):
    """A way to call a function: in this process, or in a worker process that may be stopped.

    In this process, a too deeply nested argument raises RecursionError.
    """

    def __call__(
        self, function: Callable[[*Arguments], Result], /, *args: *Arguments
    ) -> Result: ...


#: Calls a function in this process.
call_here: Final[Runner] = operator.call


class Pane:
    """A text in one of the two editors, with results about it; safe to share between threads.

    Attributes:
        side: The format that the text was typed or pasted in.
        text: The text as typed.
        options: The options that it is read by.
        name: The text's id in :class:`Documents`.
        other: The other side.
        target: The format that the other side is written in.
    """

    def __init__(self, side: Side, text: str, options: Options, name: str = "") -> None:
        self.side, self.text, self.options, self.name = side, text, options, name
        self.other: Side = "json" if side == "toon" else "toon"
        self.target = options.output_format(self.other)
        self._memory = Memory(_MOST_RESULTS)

    def __reduce__(self) -> tuple[type[Pane], tuple[Side, str, Options]]:
        """Pickle an editor's text without its results: a worker process reads the text itself."""
        return Pane, (self.side, self.text, self.options)

    @property
    def key(self) -> str:
        """A cache key: the side and options of an editor's text, and its id."""
        return f"{self.side} {self.options} {self.name}"

    @property
    def is_small(self) -> bool:
        """Whether an editor's text is short: usual work takes some ten milliseconds."""
        return len(self.text) <= SMALL_CHARACTERS

    @cached_property
    def pasted(self) -> Conversion:
        """The pane's text, pasted in another format such as YAML, as JSON text, which the editor
        then shows, and notices of what was changed.

        Raises:
            FormatError: The text is not of the side's format.
        """
        return read_pasted(self.side, self.text)

    @cached_property
    def document(self) -> Document:
        """The payload decoded from the editor's text, with its notices; read on first use and kept.

        An empty TOON text is an error here: nothing was typed yet.

        Raises:
            TextError: The text cannot be read.
        """
        text, options = self.text, self.options
        if self.side == "json":
            parsed, typed = parse_json(text), Typed(text)
        elif self.side in PASTED:
            parsed, typed = parse_json(self.pasted.text), Typed(text, PASTED[self.side])
            parsed = parsed._replace(notices=self.pasted.notices + parsed.notices)
        elif text.strip(" \t\r\n"):
            parsed = read_toon(text, options.toon, strict=options.strict)
            typed = Typed(text, options.format_of("toon", text))
        else:
            raise ToonDecodeError("no TOON here: the text is empty")
        return Document(parsed.value, typed, parsed.notices)

    def proof(self, beside: str) -> Proof:
        """Return whether ``beside``, the other editor's text, holds the same value; name a
        difference.

        Raises:
            TextError: A text cannot be read.
        """
        document, options = self.document, self.options
        if beside == document.text(self.target):
            return document.proof(self.target)
        if self.side == "toon":
            return compare_values(parse_json(beside).value, document.value)
        there = read_toon(beside, options.toon, strict=options.strict)
        return compare_values(document.value, there.value)

    def ask(
        self,
        run: Runner,
        function: Callable[Concatenate[Document, Parameters], Result],
        *args: Parameters.args,
        **options: Parameters.kwargs,
    ) -> Result:
        """Call a function by ``run`` with the editor's payload, once; keep and return its result.

        A thread that asks during another thread's call waits for that call. Errors are not kept.
        """
        key = function, args, tuple(options.items())
        own: Future[Result] = Future()
        future = self._memory.recall(key, lambda: own)
        if future is own:
            try:
                call = partial(function, **options) if options else function
                own.set_result(run(use_document, self, call, *args))
            except BaseException as error:
                own.set_exception(error)
                self._memory.drop(key)
        try:
            return future.result()
        except Stopped:
            if future is own:
                raise
        return self.ask(run, function, *args, **options)  # the caller of the other thread has gone


def use_document(
    pane: Pane, function: Callable[[Document, *Arguments], Result], *args: *Arguments
) -> Result:
    """Call a function with the payload of an editor's text, also in workers; return its result."""
    return function(pane.document, *args)


def use_value(
    document: Document, function: Callable[..., Result], /, *args: Any, **options: Any
) -> Result:
    """Call a function with a payload's JSON value, not the payload object; return its result."""
    return function(document.value, *args, **options)


class _Text(NamedTuple):
    """An editor's text in memory, its number of UTF-8 bytes, and when it was last asked for."""

    text: str
    size: int
    used: float


class Documents:
    """A store in memory of the editors' texts by digest, which drops the least recently used.

    Threads may share it. ``capacity`` is in UTF-8 bytes; a single larger text is kept alone.
    ``seconds`` is how long an unused text is kept.
    """

    def __init__(
        self,
        capacity: int = DOCUMENT_BYTES,
        seconds: float = DOCUMENT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capacity, self._seconds, self._clock = capacity, seconds, clock
        self._texts: OrderedDict[str, _Text] = OrderedDict()
        self._panes: OrderedDict[tuple[str, Side, Options], Pane] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def put(self, text: str) -> str:
        """Keep a text of the editors in memory and return its id, a digest of the text.

        Texts that are unused for too long are dropped, and the oldest ones where room is needed.
        """
        data = text.encode()
        name = hashlib.blake2b(data, digest_size=16).hexdigest()
        with self._lock:
            if (known := self._texts.pop(name, None)) is not None:
                self._size -= known.size
            now = self._clock()
            self._texts[name] = _Text(text, len(data), now)
            self._size += len(data)
            while len(self._texts) > 1:
                oldest, kept = next(iter(self._texts.items()))
                if kept.used > now - self._seconds and self._size <= self._capacity:
                    break
                del self._texts[oldest]
                self._size -= kept.size
                for key in [key for key in self._panes if key[0] == oldest]:
                    del self._panes[key]
        return name

    def get(self, name: str) -> str | None:
        """Return the editors' text with the id ``name``; None if it is not or no longer here."""
        with self._lock:
            entry = self._texts.pop(name, None)
            if entry is None:
                return None
            self._texts[name] = entry._replace(used=self._clock())
            return entry.text

    def pane(self, side: Side, name: str, options: Options) -> Pane | None:
        """Return the pane of the text with id ``name``, on a side with options; None if dropped."""
        text = self.get(name)
        return None if text is None else self.open(side, text, options, name)

    def open(self, side: Side, text: str, options: Options, name: str = "") -> Pane:
        """Return the pane of an editor's text: the text with its results, shared by all callers.

        A text that has no id, ``name``, yet is kept and gets one.
        """
        name = name or self.put(text)
        with self._lock:
            key = name, side, options
            pane = self._panes.pop(key, None) or Pane(side, text, options, name)
            if name in self._texts:  # no other thread has dropped it meanwhile
                self._panes[key] = pane
            if len(self._panes) > _PANES:
                self._panes.popitem(last=False)
        return pane
