"""Bodies of requests, read up to a limit."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

#: How many limits are read and dropped at most before the answer; the sender may then see a reset.
_DRAINED: Final = 4


class BodyTooLarge(Exception):
    """A body over the limit."""


async def body_of(request: Request, limit: int) -> bytes:
    """The whole body; what is over the limit is read and dropped, so that the client hears why.

    Raises:
        BodyTooLarge: it has more than ``limit`` bytes.
    """
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        if size > _DRAINED * limit:
            break
    if size > limit:
        raise BodyTooLarge
    return b"".join(chunks)
