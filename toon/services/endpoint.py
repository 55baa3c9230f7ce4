"""A client of a counting service, bounded in bytes, time and waiting.

Only the base address is contacted: no redirect is followed, and no proxy of the environment is
used. The key is in memory alone, and neither in messages nor in tracebacks.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from toon.installed import require
from toon.secrets import mask
from toon.services import Service, get, is_base
from toon.wording import count, duration

if TYPE_CHECKING:
    from ssl import SSLContext

    from toon.costs.models import Model

#: The text whose count, less its own single token, is the frame of a call.
FRAMED: Final = "x"
#: Counts of services for this process, by the digest of the request. A page has a table of its own
#: for each session.
COUNTS: Final[dict[bytes, int]] = {}
#: The most counts that are kept; all are dropped when there would be more.
_MOST_COUNTS: Final = 10_000

_SECONDS: Final = 30.0
_REPLY_BYTES: Final = 64_000
#: How often a text is sent at most, and the most seconds that a client waits in all.
_MOST_SENT: Final = 5
_MOST_WAITED: Final = 120.0
_STEP: Final = 0.25
_DETAIL_CHARACTERS: Final = 200
#: Counts from here on are not believed.
_IMPLAUSIBLE: Final = 10**9


class ServiceError(RuntimeError):
    """The error that a service did not count tokens. Its message is a sentence, without the key."""


@dataclass(frozen=True)
class _Reply:
    """An HTTP reply of a service: status, Retry-After, body; or in ``why_not`` why none came."""

    status: int = 0
    retry_after: str = ""
    body: bytes = field(default=b"", repr=False)
    why_not: str = ""


@dataclass
class Endpoint:
    """A client of one maker's service and model, which counts the tokens of texts.

    Attributes:
        base: The base address.
        kept: Counts by the digest of the request, which are not asked for again.
        tell: Called while waiting, with a sentence about the time left; its error ends the wait.
    """

    service: Service
    model: str
    base: str
    key: str = field(repr=False)
    cache: dict[bytes, int] = field(default_factory=lambda: COUNTS, repr=False)
    tell: Callable[[str], object] = field(default=str, repr=False)
    _waited: float = field(default=0.0, repr=False)

    def __post_init__(self) -> None:
        """Check the API key, model and base address of this client of a counting service.

        Raises:
            ServiceError: The key, the model or the address is missing or malformed.
        """
        self.key, maker, problem = self.key.strip(), self.service.maker, ""
        if not self.key:
            problem = f"{maker} needs a key: set {' or '.join(self.service.keys)}"
        elif not re.fullmatch(r"[!#-\[\]-~]+", self.key):
            problem = f"The key for {maker} holds a character that no key has"
        elif not self.model.strip():
            problem = f"No model of {maker} is chosen: name one as {maker} does (service_model)"
        elif not is_base(self.base):
            problem = (
                f"The base address of {maker} must start with http:// or https:// and have no name,"
                " password or query in it"
            )
        if problem:
            raise ServiceError(problem)

    @property
    def frame(self) -> int:
        """The tokens of a call to the service besides its text: those of a call with "x", less one.

        Raises:
            ServiceError: No count came.
        """
        if least := self._ask(FRAMED):
            return least - 1
        raise self._error(f"counts no token for {FRAMED!r}")

    def count(self, text: str) -> int:
        """Return a text's tokens as the service counts them, without those that every call has.

        Raises:
            ServiceError: No count came; no other count replaces it.
        """
        frame = self.frame  # first: a wrong key costs one short request
        return self._ask(text) - frame

    def _ask(self, text: str) -> int:
        """Return the service's count of tokens for a call with a text, asked once for each text."""
        question = json.dumps((self.service.name, self.base, self.model, text))
        digest = sha256(question.encode()).digest()
        if (known := self.cache.get(digest)) is not None:
            return known
        tokens = self._read(self._reply(text))
        if isinstance(tokens, str):
            raise self._error(tokens)
        if len(self.cache) >= _MOST_COUNTS:
            self.cache.clear()
        self.cache[digest] = tokens
        return tokens

    def _reply(self, text: str) -> _Reply:
        """Send a text to the service and return its reply; if it is busy, wait and send again."""
        for sent in range(_MOST_SENT):
            reply = self._post(text)
            if reply.status != 429:
                return reply
            if sent + 1 < _MOST_SENT:
                match = re.fullmatch(r"\d{1,6}(\.\d{1,3})?", reply.retry_after)
                self._wait(float(match[0]) if match else 2.0**sent)
        return reply

    def _wait(self, seconds: float) -> None:
        self._waited += seconds
        if self._waited > _MOST_WAITED:
            most = f"{duration(_MOST_WAITED)} is the most in all"
            raise self._error(f"asks to wait {duration(seconds)} (429); {most}")
        while seconds > 0:
            self.tell(f"{self.service.maker} asks to wait: {duration(max(1, seconds))} left")
            time.sleep(min(seconds, _STEP))
            seconds -= _STEP

    def _post(self, text: str) -> _Reply:
        """Send a text to the service once; return the reply, or why there is none.

        An error raised here would hold the request, and so the key.
        """
        import httpx2

        body = json.dumps(self.service.body(self.model, text)).encode()
        most, data = _REPLY_BYTES + self.service.reply_bytes * len(body), bytearray()
        url = self.base.rstrip("/") + self.service.path(self.model)
        # A small body must not unpack to a large one; a proxy would be another host.
        headers = {"User-Agent": "toon", "Accept-Encoding": "identity"}
        headers |= {"Content-Type": "application/json", **self.service.headers(self.key)}
        try:
            with (
                httpx2.Client(
                    headers=headers, timeout=_SECONDS, trust_env=False, verify=_load_authorities()
                ) as client,
                client.stream("POST", url, content=body) as response,
            ):
                deadline = time.monotonic() + _SECONDS
                for chunk in response.iter_raw():
                    data += chunk
                    if len(data) > most:
                        words = f"sent more than {count(most)} bytes, and was not read on"
                        return _Reply(why_not=words)
                    if time.monotonic() > deadline:
                        raise TimeoutError
        except (httpx2.TimeoutException, TimeoutError):
            return _Reply(why_not=f"gave no whole answer within {duration(_SECONDS)}")
        except httpx2.ConnectError as error:
            return _Reply(why_not=f"cannot be reached: {error}")
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError):
            return _Reply(why_not="broke off")
        return _Reply(response.status_code, response.headers.get("Retry-After", ""), bytes(data))

    def _read(self, reply: _Reply) -> int | str:
        """Return the count of tokens in a service's reply, or in words why there is none."""
        if reply.why_not:
            return reply.why_not
        if 300 <= reply.status < 400:
            return "points to another address, and nothing is sent there"
        try:
            answer = json.loads(reply.body)
        except (ValueError, RecursionError):
            answer = None
        if not 200 <= reply.status < 300:
            words = self._clean(_message(answer)) or "it does not say"
            return f"refuses ({reply.status}): {words}"
        try:
            tokens = self.service.read(answer)
        except (LookupError, TypeError):
            tokens = None
        if type(tokens) is int and 0 <= tokens < _IMPLAUSIBLE:
            return tokens
        return f"sent no count: {self._clean(reply.body.decode(errors='replace'))[:60]!r}"

    def _error(self, words: str) -> ServiceError:
        line = self._clean(words)
        cut = line if len(line) <= _DETAIL_CHARACTERS else f"{line[:_DETAIL_CHARACTERS]}…"
        return ServiceError(f"{self.service.maker} at {self.base} {cut.rstrip('.')}")

    def _clean(self, words: str) -> str:
        """Return words of a service in one line, with secrets and the API key masked."""
        return mask(" ".join(words.replace(self.key, "…").split()))


def make_endpoint(
    name: str, model: Model | None, own_name: str = "", url: str = "", **options: Any
) -> Endpoint:
    """Return a client of a token counting service for a model, with the key of the environment.

    ``own_name`` is the service's own name of a model, which counts before ``model``. ``url`` is the
    base address; "" for the environment's. ``options`` are more arguments of :class:`Endpoint`.

    Raises:
        ValueError: No service has that name.
        ServiceError: There is no key, or no model.
    """
    require("service", "asking a service")
    service = get(name)
    options = {"key": os.environ.get(service.find_key(os.environ), ""), **options}
    base = url or service.find_base(os.environ)
    return Endpoint(service, own_name or service.model_name(model), base, **options)


@cache
def _load_authorities() -> SSLContext:
    """Return an SSL context with the trusted certificate authorities, loaded once."""
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)


def _message(answer: Any) -> str:
    """Return the error message in a service's decoded JSON reply; "" if there is none."""
    facts = answer.get("error", answer) if isinstance(answer, dict) else None
    words = facts.get("message") or facts.get("detail") if isinstance(facts, dict) else facts
    return words if isinstance(words, str) else ""
