"""The body that a pasted curl command would send. Nothing is run, read or fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toon.text import QUOTED

_COMMAND: Final = re.compile(r"\s*(?:\$\s+)?curl(?:\.exe)?\s")

#: As copied for Windows' command prompt, where carets escape, also at the ends of lines.
_FOR_WINDOWS: Final = re.compile(r'\s*curl(?:\.exe)?\s+\^"|[^\n]* \^\n')
_CARET: Final = re.compile(r"\^(.|\n)")

#: One part of a word of a shell, or what stands between words.
_PART: Final = re.compile(
    rf"""(?P<blank>[^\S\n]+|(?<=`)\n)  # PowerShell goes on after a backtick
    |(?P<end>[|;\n]|&&)
    |'(?P<plain>[^']*)'
    |\$'(?P<ansi>(?:[^'\\]|\\.)*+)'
    |(?P<quoted>{QUOTED})
    |\\(?P<escaped>.|\Z)
    |(?P<bare>[^\s'"\\$|;&]+|[$&])""",
    re.S | re.X,
)
_IN_QUOTES: Final = re.compile(r'\\(["\\$`]|\n)')
_ANSI: Final = re.compile(
    r"\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.S
)
_ANSI_LETTERS: Final = dict(zip("abefnrtv", "\a\b\x1b\f\n\r\t\v", strict=True))

#: ``-d`` may stand after short options without an argument, and its own may follow at once.
_DATA: Final = re.compile(
    r"--(?:data|data-raw|data-binary|data-ascii|json)|-[afgGijklLnNpqsSv]*d(?P<attached>.*)"
    r"|(?P<form>--(?:data-urlencode|form|form-string)|-[afgGijklLnNpqsSv]*F.*)",
    re.S,
)


def is_curl(text: str) -> bool:
    """Whether the text begins as a curl command does."""
    return _COMMAND.match(text) is not None


def body_of(text: str) -> str:
    """The body that the command would send; several ``-d`` are joined by ``&``, as curl does.

    Raises:
        ValueError: There is none, or it is a form or in a file, or a quote is not closed.
    """
    text = text.replace("\r\n", "\n").lstrip()
    if _FOR_WINDOWS.match(text):
        text = _CARET.sub(lambda match: match[1].strip("\n"), text)
    bodies, words = [], _words(text)
    for word in words:
        option = _DATA.fullmatch(word)
        if option is None:
            continue
        if option["form"]:
            raise ValueError("its body is a form, no JSON text")
        body = option["attached"] or next(words, "")
        if body.startswith("@") and word != "--data-raw":
            raise ValueError(f"its body is in a file, {body[:80]}: paste what the file holds")
        bodies.append(body)
    if not bodies:
        raise ValueError("it sends no body: there is no -d, --data or --json")
    return "&".join(bodies)


def _words(text: str) -> Iterator[str]:
    """The words of the first command, as a POSIX shell would read them; variables stay as named."""
    at, word = 0, list[str]()
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise ValueError("a quote in it is not closed")
        at = part.end()
        if part["end"]:
            break
        if part["escaped"] == "\n":  # the line goes on
            continue
        if not part["blank"]:
            word.append(_unquoted(part))
        elif word:
            yield "".join(word)
            word = []
    if word:
        yield "".join(word)


def _unquoted(part: re.Match[str]) -> str:
    kind = part.lastgroup or ""
    inside = part[kind]
    if kind == "quoted":
        return _IN_QUOTES.sub(lambda match: match[1].strip("\n"), inside[1:-1])
    return _without_escapes(inside) if kind == "ansi" else inside


def _without_escapes(inside: str) -> str:
    try:
        units = _ANSI.sub(_ansi_character, inside)
        # A browser writes a character beyond U+FFFF as the two halves of its pair.
        return units.encode("utf-16", "surrogatepass").decode("utf-16")
    except (ValueError, OverflowError):
        raise ValueError("an escape in it names no character") from None


def _ansi_character(match: re.Match[str]) -> str:
    *hexadecimal, octal, letter = match.groups()
    digits = next(filter(None, hexadecimal), None)
    if letter:
        return _ANSI_LETTERS.get(letter, letter if letter in "'\"\\?" else match[0])
    return chr(int(digits, 16) if digits else int(octal, 8))
