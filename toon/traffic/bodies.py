"""Decoding of HTTP bodies as logs keep them: base64, gzip, JSON Lines and event streams."""

import base64
import re
import zlib
from typing import Any, Final

from toon.errors import TextError
from toon.traffic.locate import Node, unwrap
from toon.traffic.streams import GZIP, MAX_RECORD
from toon.values.log_lines import read_events

_BLANKS: Final = "\ufeff \t\r\n"
_MEDIA_TYPE: Final = re.compile(r"[\w.+-]{1,40}/[\w.+-]{1,60}")
_INFLATED: Final = {"gzip": 31, "x-gzip": 31, "deflate": 47}
_PACKED: Final = frozenset([*_INFLATED, "br", "zstd", "compress"])
_LINES: Final = ("ndjson", "jsonl", "json-lines", "json-seq")
_EVENTS: Final = re.compile(r"(?:event|data|id|retry|):")


class NotJsonError(TextError):
    """The error of an HTTP body that is not JSON, such as a script; its message is a media type."""


class EmptyError(TextError):
    """The error of an HTTP response without a body."""

    def __init__(self) -> None:
        super().__init__("the response body is empty")


def media_type(named: Any) -> str:
    match = _MEDIA_TYPE.match(named) if isinstance(named, str) else None
    return match[0] if match else "of no named type"


def open_body(
    body: Any, kind: Any = "", *, is_base64: bool = False, packed: str = ""
) -> list[Node]:
    """Decode an HTTP body as a log keeps it; return the JSON objects and arrays in it as nodes.

    JSON Lines and event streams hold several.

    Args:
        body: The text of the body.
        kind: The Content-Type header.
        is_base64: Whether the text is base64.
        packed: The Content-Encoding header. Most logs keep the body unpacked all the same.

    Raises:
        NotJsonError: The body is text or data of another kind.
        EmptyError: The body is empty.
        TextError: The body is damaged, or unpacks to more than a record may hold.
    """
    text = body if isinstance(body, str) else ""
    packed = packed.strip().lower()
    if is_base64 or (packed in _PACKED and text.strip(_BLANKS)[:1] not in ("{", "[", "")):
        try:
            data = base64.b64decode(text, validate=True)
        except ValueError:
            if text.strip(_BLANKS)[:1] not in ("{", "["):  # Firefox marks plain text as base64
                if is_base64:
                    raise TextError("the response body is damaged base64") from None
                raise NotJsonError(media_type(kind)) from None  # an unpacked HTML page, say
        else:
            text = _decode(_unpack(data, packed), kind)
    if not text.strip(_BLANKS):
        raise EmptyError
    named = media_type(kind).lower()
    if "event-stream" in named or _EVENTS.match(text):
        return _several(map("\n".join, read_events(text)), kind)
    if any(word in named for word in _LINES):
        return _several(text.lstrip("\ufeff").split("\n"), kind)
    return [_node(text, kind)]


def _several(texts: Any, kind: Any) -> list[Node]:
    found = [_node(text, kind) for text in texts if text.strip("\x1e \t\r\n")[:1] in ("{", "[")]
    if not found:
        raise NotJsonError(media_type(kind))
    return found


def _node(text: str, kind: Any) -> Node:
    try:
        text, value = unwrap(text.strip("\x1e"))
    except TextError as error:
        if text.lstrip(_BLANKS)[:1] in ("{", "["):
            raise TextError(f"the response is damaged JSON: {error}") from None
        raise NotJsonError(media_type(kind)) from None
    return Node(value, text)


def _unpack(data: bytes, packed: str) -> bytes:
    if data[:2] == GZIP:
        packed = "gzip"
    elif packed not in _PACKED or data.lstrip()[:1] in (b"{", b"["):
        return data
    if packed not in _INFLATED:
        raise TextError(f"the response body is packed as {packed}, which is not opened here")
    inflate = zlib.decompressobj(_INFLATED[packed])
    try:
        text = inflate.decompress(data, MAX_RECORD + 1)
    except zlib.error:
        raise TextError(f"the response body is damaged {packed}") from None
    if len(text) > MAX_RECORD:
        raise TextError("the response body unpacks to more than a record may hold")
    if not inflate.eof:
        raise TextError(f"the response body is damaged {packed}")
    return text


def _decode(data: bytes, kind: Any) -> str:
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise NotJsonError(media_type(kind)) from None
