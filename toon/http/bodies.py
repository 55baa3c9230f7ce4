"""Limits on the bytes of request bodies, of each body and of all together."""

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
    """Limits on the request bodies in the server's memory; ``held`` counts their bytes by client.

    One body has at most ``limit`` bytes. A client gets at most half of the total, so that it cannot
    shut out others.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.held: Counter[str] = Counter()

    def check(self, more: int, own: int, client: str) -> None:
        """Raise Refusal if a client's body that grows by ``more`` to ``own`` bytes passes a limit:
        of one body, of one client, or of all bodies.
        """
        if own > self.limit:
            raise Refusal(
                413,
                f"A body has at most {self.limit:,} bytes here, the largest of TOON_EDITOR_BYTES, "
                "TOON_CONVERT_BYTES, TOON_STATS_BYTES and Streamlit's server.maxUploadSize.",
            )
        total, share = max(self.limit, BODIES_BYTES), max(self.limit, BODIES_BYTES // 2)
        for held, most in ((self.held.total(), total), (self.held[client], share)):
            left = most if own <= _SMALL else max(self.limit, most - most // 8)
            if more and held + more > left:
                raise Refusal(
                    503,
                    f"The bodies that are received or worked on reach {total:,} bytes together, "
                    f"the limit TOON_BODIES_BYTES, or {share:,} bytes of one client; try again in "
                    "a moment.",
                )


class Body:
    """A request's body, counted and limited in bytes and time while an ASGI app reads it.

    Once a limit is passed the app sees a client that has gone, and ``refusal`` is the answer to
    send. ``held`` are the bytes so far; the caller subtracts them from the count of the client when
    the request is over.

    Args:
        declared: The header ``Content-Length``, or "0".
        client: The client's address.

    Raises:
        Refusal: The declared length passes a limit.
    """

    def __init__(self, bodies: Bodies, receive: Receive, declared: str, client: str) -> None:
        size = whole_number(declared, 0, bodies.limit)
        size = bodies.limit + 1 if size is None else size
        bodies.check(size, size, client)
        self.refusal: Refusal | None = None
        self._bodies, self._receive, self._client = bodies, receive, client
        self.held = 0
        self._due: float | None = asyncio.get_running_loop().time() + BODY_SECONDS

    async def receive(self) -> Message:
        """Return the next ASGI message of a request's body; a disconnect once it is refused."""
        try:
            if self.refusal is None:
                async with asyncio.timeout_at(self._due):
                    message = await self._receive()
                more = len(message.get("body", b""))
                self._bodies.check(more, self.held + more, self._client)
                self.held += more
                self._bodies.held[self._client] += more
                self._due = self._due if message.get("more_body") else None
                return message
        except TimeoutError:
            sentence = f"A body has to arrive within {BODY_SECONDS} seconds, TOON_BODY_SECONDS."
            self.refusal = Refusal(408, sentence)
        except Refusal as refusal:
            self.refusal = refusal
        return {"type": "http.disconnect"}
