"""One call of an endpoint that speaks as OpenAI's chat completions do, bounded in every way.

Nothing but the host of the base URL is contacted, and no proxy or key of the environment is used.
The key is in memory alone: it is taken out of everything that the endpoint sends back.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from toon.reading import faults
from toon.reading.faults import Failed, Fault
from toon.reading.plan import ANSWER_TOKENS
from toon.text import whole

if TYPE_CHECKING:
    import httpx2

#: Bytes of a reply that are read at most.
REPLY_BYTES: Final = 1_000_000
_DETAIL_CHARACTERS: Final = 200
#: So many tokens or milliseconds are not believed.
_NO_FIGURE: Final = 10**9
#: A shorter key could be a word of an answer, which must not be taken out.
_SHORTEST_KEY: Final = 6


class Reply(NamedTuple):
    """What came back.

    Attributes:
        text: The answer; "" for none.
        prompt_tokens: Those of the input, as the endpoint counted; None: it does not say.
        completion_tokens: Those of the answer.
        seconds: From sending to the last byte.
        prompt_seconds: For reading the prompt, as the server says; None: it does not.
        generation_seconds: For writing the answer, likewise.
        model: The name that the endpoint gives the model.
        note: What is wrong with the answer, as a sentence; "" for nothing.
    """

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float
    prompt_seconds: float | None
    generation_seconds: float | None
    model: str
    note: str = ""


@dataclass
class Endpoint:
    """A model behind a URL.

    Attributes:
        base_url: Such as ``http://localhost:8080/v1``.
        model: The model, as the endpoint names it.
        key: What the endpoint asks for; "" for none.
        seconds: How long one call may take.
        temperature: 0, or None where the model takes none: then the first call finds it out.
    """

    base_url: str = field(repr=False)
    model: str
    key: str = field(default="", repr=False)
    seconds: float = 60.0
    temperature: float | None = 0.0
    _bound: str = field(default="max_tokens", repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def check(self) -> None:
        """Says what is wrong before anything is sent.

        Raises:
            Failed: The URL, the key or the model cannot be right.
        """
        if _split(self.base_url) is None:
            raise Failed(faults.ADDRESS, where=self._clean(self.base_url) or "The empty text")
        if not self.model.strip():
            raise Failed(faults.NAMELESS)
        if not all("!" <= character <= "~" for character in self.key):
            raise Failed(faults.BAD_KEY)

    @property
    def shown_url(self) -> str:
        """The base URL without a user, a password, a query or a fragment."""
        parts = _split(self.base_url)
        if parts is None:
            return ""
        host = parts.netloc.rpartition("@")[2]
        return self._clean(parts._replace(netloc=host, query="", fragment="").geturl())

    @property
    def host(self) -> str:
        """The only host that is contacted."""
        return urlsplit(self.shown_url).netloc

    def ask(self, prompt: str, answer_tokens: int = ANSWER_TOKENS) -> Reply:
        """Sends one prompt, once; its answer has at most ``answer_tokens`` tokens.

        Raises:
            Failed: No answer came.
        """
        self.check()
        with self._lock:
            parameters: dict[str, Any] = {self._bound: answer_tokens}
            if self.temperature is not None:
                parameters["temperature"] = self.temperature
        try:
            return self._send(prompt, parameters)
        except Failed as failed:
            if self._adapts(failed, parameters):
                raise self._failed(faults.ADAPTED, wait=0) from None
            raise

    def _adapts(self, failed: Failed, used: dict[str, Any]) -> bool:
        """Whether another call may do: newer models refuse a temperature, and rename the bound."""
        words = str(failed).lower()
        if failed.fault is not faults.REJECTED:
            return False
        with self._lock:
            if "max_tokens" in used and "max_completion_tokens" in words:
                self._bound = "max_completion_tokens"
                return True
            if "temperature" in used and "temperature" in words:
                self.temperature = None
                return True
        return False

    def close(self) -> None:
        """Closes the connections; another call opens new ones."""
        with self._lock:
            if client := self.__dict__.pop("_client", None):
                client.close()

    @cached_property
    def _client(self) -> httpx2.Client:
        import httpx2

        # A small body must not unpack to a large one.
        headers = {"User-Agent": "toon", "Accept-Encoding": "identity"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        # A proxy of the environment would be another host, and read what is not encrypted.
        return httpx2.Client(headers=headers, timeout=self.seconds, trust_env=False)

    def _send(self, prompt: str, parameters: dict[str, Any]) -> Reply:
        import httpx2

        parts = _split(self.base_url)
        assert parts is not None
        url = parts._replace(path=f"{parts.path.rstrip('/')}/chat/completions", fragment="")
        messages = [{"role": "user", "content": whole(prompt)}]
        content = {"model": self.model, "messages": messages, **parameters}
        with self._lock:
            client = self._client
        began = time.perf_counter()
        try:
            with client.stream("POST", url.geturl(), json=content) as response:
                body = b"".join(_limited(response.iter_raw(), self.seconds))
        except (httpx2.InvalidURL, UnicodeError):
            raise self._failed(faults.UNREACHABLE, "no host has such an address") from None
        except (httpx2.HTTPError, OSError, _TooLong) as error:
            raise self._unconnected(error) from None
        if not response.is_success:
            raise self._refusal(response, body)
        return self._read(body, time.perf_counter() - began)

    def _unconnected(self, cause: Exception) -> Failed:
        """What a call without an answer failed of."""
        import httpx2

        if isinstance(cause, _TooLong):
            return self._failed(faults.TOO_LONG, limit=f"{REPLY_BYTES / 1e6:g} MB")
        if isinstance(cause, httpx2.ConnectTimeout):
            return self._failed(faults.UNREACHABLE, "it does not answer")
        if isinstance(cause, httpx2.TimeoutException | TimeoutError):
            return self._failed(faults.TIMEOUT)
        if isinstance(cause, httpx2.ConnectError | httpx2.UnsupportedProtocol | OSError):
            return self._failed(faults.UNREACHABLE, str(cause))
        return self._failed(faults.CUT)

    def _refusal(self, response: httpx2.Response, body: bytes) -> Failed:
        """What a reply with a status other than 2xx says."""
        status, (code, words) = response.status_code, _error_of(body)
        fault = _fault_of(status, f"{code} {words}".lower())
        if fault is faults.REFUSED_KEY and not self.key:
            fault = faults.NO_KEY
        given = response.headers.get("Retry-After", "")  # seconds, or a date, which says nothing
        wait = float(given) if re.fullmatch(r"\d{1,6}(\.\d{1,3})?", given) else None
        return self._failed(fault, f"{status}, {words}" if words else f"status {status}", wait)

    def _read(self, body: bytes, seconds: float) -> Reply:
        """The reply of a whole body.

        Raises:
            Failed: It is no chat completion.
        """
        try:
            found = json.loads(body)
            choice = found["choices"][0]
            said, refusal = choice["message"].get("content"), choice["message"].get("refusal")
            stopped = str(choice.get("finish_reason") or "")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            start = body[:60].decode(errors="replace").strip()
            words = f"it begins with {start!r}" if start else "it is empty"
            raise self._failed(faults.NONSENSE, words) from None
        text = _text_of(said) or _text_of(refusal)
        usage, timings = _mapping(found.get("usage")), _mapping(found.get("timings"))
        return Reply(
            self._clean(text),
            _count(usage.get("prompt_tokens")),
            _count(usage.get("completion_tokens")),
            seconds,
            _seconds(timings.get("prompt_ms")),
            _seconds(timings.get("predicted_ms")),
            self._clean(str(found.get("model") or "")[:_DETAIL_CHARACTERS]),
            _note(text, bool(refusal and not said), stopped),
        )

    def _failed(
        self, fault: Fault, detail: str = "", wait: float | None = None, **more: str
    ) -> Failed:
        facts = {
            "where": self.shown_url,
            "model": self.model,
            "seconds": f"{self.seconds:g}",
            "detail": self._clean(_short(detail)),
            **more,
        }
        return Failed(fault, wait, **facts)

    def _clean(self, text: str) -> str:
        """``text`` without the key, which an endpoint may repeat."""
        return text.replace(self.key, "…") if len(self.key) >= _SHORTEST_KEY else text


class _TooLong(Exception):
    """A body has too many bytes."""


def _limited(chunks: Iterable[bytes], seconds: float) -> Iterator[bytes]:
    """The chunks of a body, up to its limits in bytes and time."""
    read, deadline = 0, time.monotonic() + seconds
    for chunk in chunks:
        read += len(chunk)
        if read > REPLY_BYTES:
            raise _TooLong
        if time.monotonic() > deadline:
            raise TimeoutError
        yield chunk


def _split(url: str) -> SplitResult | None:
    """The parts of a URL that can be asked; None for any other text."""
    try:
        parts = urlsplit(url.strip())
        is_url = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        return None
    return parts if is_url else None


def _fault_of(status: int, words: str) -> Fault:
    """What a status means, with the code and the words of its body in lower case."""
    if 300 <= status < 400:
        return faults.ELSEWHERE
    if status in (401, 403):
        return faults.REFUSED_KEY
    if status == 402 or "insufficient_quota" in words:
        return faults.NO_CREDIT
    if status == 429:
        return faults.BUSY
    if status >= 500 and "model" not in words.split("not found")[0][-40:]:
        return faults.SERVER
    if status == 413 or (
        "context" in words and re.search("length|size|window|exceed|maximum", words)
    ):
        return faults.CONTEXT
    if "model" in words and re.search("not found|not exist|not_found|unknown|no such", words):
        return faults.NO_MODEL
    if status in (404, 405, 410):
        return faults.NO_API
    return faults.SERVER if status >= 500 or status == 408 else faults.REJECTED


def _error_of(body: bytes) -> tuple[str, str]:
    """The code and the words of an error's body; "" where there are none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return "", ""
    error = _mapping(found).get("error", found)
    if isinstance(error, str):
        return "", error
    facts = _mapping(error)
    words = facts.get("message") or facts.get("detail") or ""
    return f"{facts.get('code') or ''} {facts.get('type') or ''}", str(words)


def _note(text: str, is_refusal: bool, stopped: str) -> str:
    """What is wrong with an answer; "" for nothing."""
    if is_refusal or stopped == "content_filter":
        return "The model refused to answer."
    if stopped == "length":
        return "The answer reached its bound of tokens. A model that thinks first needs more."
    return "" if text.strip() else "The answer is empty."


def _text_of(content: object) -> str:
    """The text of a message's content, which may be a list of parts."""
    if isinstance(content, list):
        return "".join(_text_of(_mapping(part).get("text")) for part in content)
    return content if isinstance(content, str) else ""


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: object) -> int | None:
    """A number of tokens; None for anything else."""
    return value if type(value) is int and 0 <= value < _NO_FIGURE else None


def _seconds(value: object) -> float | None:
    """The seconds of a number of milliseconds; None for anything else."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value / 1000 if is_number and 0 <= value < _NO_FIGURE else None  # type: ignore[operator]


def _short(words: str) -> str:
    """The first words of what an endpoint says, in one line and without the last full stop."""
    line = " ".join(words.split())
    cut = line if len(line) <= _DETAIL_CHARACTERS else f"{line[:_DETAIL_CHARACTERS]}…"
    return cut.rstrip(".")
