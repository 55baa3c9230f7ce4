"""Templates in files of UTF-8 text."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import Final

from toon.compact.templates.scanner import MAX_LENGTH, TemplateError
from toon.text import Source

#: The bytes of the longest template; a byte-order mark fits in too, as ``line:`` is ASCII.
_MAX_BYTES: Final = 4 * MAX_LENGTH


def decoded(data: bytes) -> str:
    """The text of a file, which need not be a template yet.

    Raises:
        TemplateError: the file is too long or not UTF-8.
    """
    if len(data) > _MAX_BYTES:
        message = f"file is longer than a template of {MAX_LENGTH:,} characters can be"
        raise TemplateError(message, line=1, column=1)
    body = data.removeprefix(BOM_UTF8)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        source = Source(body.decode(errors="replace"))
        at = len(body[: error.start].decode())
        message = f"byte 0x{body[error.start]:02X} is not UTF-8"
        raise source.error(TemplateError, message, at, "save the file as UTF-8") from None
