"""Limits on the bytes of request bodies, of each body and of all together."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from starlette.types import Message, Receive

from toon.http.page import Refusal
from toon.limits import BODIES_BYTES, BODY_SECONDS
from toon.text import whole_number

#: Bytes of a small body: an eighth of the total is kept for small ones.
_SMALL: Final = 1_000_000


class Bodies:
    """The count of bytes of all request bodies in use; one body has at most ``each`` bytes.

    ``held`` counts the bytes that have arrived, by client. A client gets at most half of the total,
    so it cannot shut out others.
    """

    def __init__(self, each: int) -> None:
        self.each = each
        self.held: Counter[str] = Counter()

    def check(self, more: int, own: int, client: str) -> None:
        """Check whether ``more`` bytes may be added to a body that would then have ``own``.

        Raises:
            Refusal: The limit of one body, of its client, or of all bodies is passed.
        """
        if own > self.each:
            raise Refusal(
                413,
                f"A body has at most {self.each:,} bytes here, the largest of TOON_EDITOR_BYTES, "
                "TOON_CONVERT_BYTES, TOON_STATS_BYTES and Streamlit's server.maxUploadSize.",
            )
        total, share = max(self.each, BODIES_BYTES), max(self.each, BODIES_BYTES // 2)
        for held, most in ((self.held.total(), total), (self.held[client], share)):
            left = most if own <= _SMALL else max(self.each, most - most // 8)
            if more and held + more > left:
                raise Refusal(
                    503,
                    f"The bodies that are received or worked on reach {total:,} bytes together, "
                    f"the limit TOON_BODIES_BYTES, or {share:,} bytes of one client; try again in "
                    "a moment.",
                )


class Body:
    """The body of one request, counted while it arrives.

    For the app, a refused body looks like a client that has gone; ``refusal`` is the answer to
    send.

    Args:
        declared: Its ``Content-Length``, or "0".
        client: The client's address.

    Raises:
        Refusal: The declared size is too much.
    """

    def __init__(self, bodies: Bodies, receive: Receive, declared: str, client: str) -> None:
        size = whole_number(declared, 0, bodies.each)
        size = bodies.each + 1 if size is None else size
        bodies.check(size, size, client)
        self.refusal: Refusal | None = None
        self._bodies, self._receive, self._client = bodies, receive, client
        self._held = 0
        self._due: float | None = asyncio.get_running_loop().time() + BODY_SECONDS

    async def receive(self) -> Message:
        """Return the next message to the app; wait for a body no longer than the limit."""
        try:
            if self.refusal is None:
                async with asyncio.timeout_at(self._due):
                    message = await self._receive()
                more = len(message.get("body", b""))
                self._bodies.check(more, self._held + more, self._client)
                self._held += more
                self._bodies.held[self._client] += more
                self._due = self._due if message.get("more_body") else None
                return message
        except TimeoutError:
            sentence = f"A body has to arrive within {BODY_SECONDS} seconds, TOON_BODY_SECONDS."
            self.refusal = Refusal(408, sentence)
        except Refusal as refusal:
            self.refusal = refusal
        return {"type": "http.disconnect"}

    def release(self) -> None:
        """Subtract the body's bytes from its client's count, once the request is over."""
        self._bodies.held -= Counter({self._client: self._held})
