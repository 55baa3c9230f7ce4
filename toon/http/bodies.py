"""Bounds the bodies that are received or worked on, each and all together."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from starlette.types import Message, Receive

from toon.http.refusals import Refusal
from toon.limits import BODIES_BYTES, BODY_SECONDS
from toon.text import whole_number

#: A body of no more is small: a share of the bytes is kept for those, whatever large ones hold.
_SMALL: Final = 1_000_000
_KEPT: Final = 8


class Bodies:
    """All bodies that are received or worked on.

    ``held`` is how many bytes of them have arrived, by client. One client has half of the total,
    so that it cannot shut out the others; an eighth of either is for small bodies alone, so that
    large ones that come slowly do not shut those out.
    """

    def __init__(self, each: int) -> None:
        """``each`` is the most bytes of one body."""
        self.each = each
        self.total = max(each, BODIES_BYTES)
        self.held: Counter[str] = Counter()

    def check(self, more: int, own: int, client: str) -> None:
        """Checks whether ``more`` bytes may come to a body that would then have ``own``.

        Raises:
            Refusal: That is too much for one body, for its client, or for all together.
        """
        if own > self.each:
            raise Refusal(
                413,
                f"A body has at most {self.each:,} bytes here, the largest of TOON_EDITOR_BYTES, "
                "TOON_CONVERT_BYTES, TOON_STATS_BYTES and Streamlit's server.maxUploadSize.",
            )
        share = max(self.each, self.total // 2)
        full = self.held.total() + more > self._left(self.total, own)
        if more and (full or self.held[client] + more > self._left(share, own)):
            raise Refusal(
                503,
                f"The bodies that are received or worked on reach {self.total:,} bytes together, "
                f"the limit TOON_BODIES_BYTES, or {share:,} bytes of one client; try again in a "
                "moment.",
                Retry_After="5",
            )

    def _left(self, most: int, own: int) -> int:
        """What of ``most`` bytes a body of ``own`` may fill."""
        return most if own <= _SMALL else max(self.each, most - most // _KEPT)


class Body:
    """The body of one request, counted while it arrives.

    When it is refused, the app is told that the client has gone, which ends its work, and
    ``refusal`` is what to answer.
    """

    def __init__(self, bodies: Bodies, receive: Receive, declared: str, client: str) -> None:
        """``declared`` is the header ``Content-Length``, or "0"; ``client`` is an address.

        Raises:
            Refusal: The declared size is too much.
        """
        size = whole_number(declared, 0, bodies.each)
        size = bodies.each + 1 if size is None else size
        bodies.check(size, size, client)
        self.refusal: Refusal | None = None
        self._bodies, self._receive, self._client = bodies, receive, client
        self._held = 0
        self._due: float | None = asyncio.get_running_loop().time() + BODY_SECONDS

    async def receive(self) -> Message:
        """The next message to the app; waits for a body no longer than its time."""
        try:
            if self.refusal is None:
                async with asyncio.timeout_at(self._due):
                    return self._counted(await self._receive())
        except TimeoutError:
            sentence = f"A body has to arrive within {BODY_SECONDS} seconds, TOON_BODY_SECONDS."
            self.refusal = Refusal(408, sentence)
        except Refusal as refusal:
            self.refusal = refusal
        return {"type": "http.disconnect"}

    def _counted(self, message: Message) -> Message:
        more = len(message.get("body", b""))
        self._bodies.check(more, self._held + more, self._client)
        self._held += more
        self._bodies.held[self._client] += more
        if not message.get("more_body"):
            self._due = None
        return message

    def release(self) -> None:
        """Gives back what the body held; the request is over."""
        self._bodies.held -= Counter({self._client: self._held})
        self._held = 0
