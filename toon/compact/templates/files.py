"""Templates in files: UTF-8 text, as it was typed."""

from __future__ import annotations

from codecs import BOM_UTF8
from pathlib import Path
from typing import Final

from toon.compact.templates.parser import parse
from toon.compact.templates.scanner import MAX_LENGTH, TemplateError, error_at
from toon.compact.templates.template import Template

#: Bytes of the longest template; "line:" leaves room for a byte order mark.
_MAX_BYTES: Final = 4 * MAX_LENGTH


def load(path: str | Path) -> Template:
    """The template in a file.

    Raises:
        OSError: the file cannot be read.
        TemplateError: it holds no template.
    """
    with Path(path).open("rb") as file:
        return parse(decoded(file.read(_MAX_BYTES + 1)))


def save(text: str, path: str | Path) -> None:
    """Writes a template to a file, if it is one: what is saved can be loaded.

    Raises:
        TemplateError: ``text`` is no template; nothing is written.
        OSError: the file cannot be written.
    """
    Path(path).write_bytes(parse(text).text.encode())


def decoded(data: bytes) -> str:
    """The text of a file, which need not be a template yet.

    Raises:
        TemplateError: it is too long, or not UTF-8.
    """
    if len(data) > _MAX_BYTES:
        message = f"file is longer than a template of {MAX_LENGTH:,} characters can be"
        raise TemplateError(message, line=1, column=1)
    body = data.removeprefix(BOM_UTF8)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        text = body.decode(errors="replace")
        at = len(body[: error.start].decode())
        message = f"byte 0x{body[error.start]:02X} is not UTF-8"
        raise error_at(text, at, message, "save the file as UTF-8") from None
