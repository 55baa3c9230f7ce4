"""Reads the bodies of requests up to a limit."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request

#: A body is read and dropped up to this many times its limit; beyond it the connection is reset.
_DRAINED: Final = 4


class BodyTooLarge(Exception):
    """The body is larger than the limit."""


async def body_of(request: Request, limit: int) -> bytes:
    """The whole body; excess is read and dropped, so that the client receives the error.

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
