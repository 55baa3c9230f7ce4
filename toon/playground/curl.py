"""The body of a pasted curl command. Nothing is run, read or fetched."""

import re
from collections.abc import Iterator
from typing import Final

from toon.playground.rewrite import Conversion, Obstacle, convert_body
from toon.text import QUOTED

#: Text that may stand before the command: comments, a prompt, variables, starting programs.
COMMAND: Final = re.compile(
    r"""(?:\s*+\#[^\n]*\n)*+\s*+(?:[^\n'"{}]{0,80}?[$%>\#❯➜][^\S\n]+(?:~[^\S\n]+)?)?!?
    (?:(?:\w+=(?:'[^'\n]*'|"[^"\n]*"|[^\s'"]*)|(?:sudo|time|env|command|nohup)(?:\ +-\w+)*)\s+)*+
    (?:[\w./~-]*/)?(?P<command>curl(?:\.exe)?\s)""",
    re.X,
)
#: The start of a here-document; its last line has the same name.
_DOCUMENT: Final = re.compile(r"(?<!<)<<(?P<tabs>-?)[^\S\n]*(['\"]?)(?P<name>\w+)\2")
#: A word that stands for the here-document.
_STDIN: Final = re.compile(r"@-|@/dev/stdin|\$\(\s*cat\s*\)\s*")

#: A command copied for Windows' command prompt: carets escape, also at the ends of lines.
_FOR_WINDOWS: Final = re.compile(r'\s*curl(?:\.exe)?\s+\^"|[^\n]* \^\n')
_CARET: Final = re.compile(r"\^(.|\n)")

#: One part of a shell's word, or a separator of words.
_PART: Final = re.compile(
    rf"""(?P<blank>[^\S\n]+|(?<=`)\n)  # PowerShell goes on after a backtick
    |(?P<end>[|;\n]|&&|(?<!\S)\#)
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

#: Options with data; short options may stand before ``-d``, and its argument right behind it.
_DATA: Final = re.compile(
    r"--(?:data|data-raw|data-binary|data-ascii|json)|-[afgGijklLnNpqsSv]*d(?P<attached>.*)"
    r"|(?P<form>--(?:data-urlencode|form|form-string)|-[afgGijklLnNpqsSv]*F.*)",
    re.S,
)


def convert_curl(text: str) -> Conversion:
    """Return the JSON body that a pasted curl command would send, with notices.

    Raises:
        Obstacle: The command cannot be read, or its body is missing or no JSON.
    """
    try:
        return convert_body(read_body(text))
    except ValueError as error:
        raise Obstacle(str(error)) from None


def read_body(text: str) -> str:
    """Return the body that a pasted curl command would send, as text; join several ``-d`` by ``&``.

    Raises:
        ValueError: The body is missing, a form or in a file, or a quote is not closed.
    """
    text = text.replace("\r\n", "\n")
    command = COMMAND.match(text)
    text = text[command.start("command") :] if command else text
    if _FOR_WINDOWS.match(text):
        text = _CARET.sub(lambda match: match[1].strip("\n"), text)
    text, document = _split_document(text)
    data, words = list[tuple[str, str]](), _split_words(text)
    for word in words:
        if word.startswith("<<<"):
            document = word[3:] or next(words, "")
        elif option := _DATA.fullmatch(word):
            if option["form"]:
                raise ValueError("its body is a form, no JSON text")
            data.append((word, option["attached"] or next(words, "")))
    if not data:
        raise ValueError("it sends no body: there is no -d, --data or --json")
    joined = ""
    for word, piece in data:
        if document is not None and _STDIN.fullmatch(piece):
            piece = document
        elif piece.startswith("@") and word != "--data-raw":
            raise ValueError(f"its body is in a file, {piece[:80]}: paste what the file holds")
        joined += piece if word == "--json" or not joined else f"&{piece}"
    return joined


def _split_document(text: str) -> tuple[str, str | None]:
    """Split a shell command into the command and its here-document's text, or None without one."""
    if (start := _DOCUMENT.search(text)) is None:
        return text, None
    rest, _, below = text[start.end() :].partition("\n")
    end = re.search(rf"^\t*{start['name']}[^\S\n]*$", below, re.M)
    if end is None:
        return text, None
    document = below[: end.start()].removesuffix("\n")
    document = re.sub(r"^\t+", "", document, flags=re.M) if start["tabs"] else document
    return text[: start.start()] + rest + below[end.end() :], document


def _split_words(text: str) -> Iterator[str]:
    """Yield the unquoted words of the first shell command in a text, variables unexpanded. Raise
    ValueError if a quote is not closed.
    """
    pos, word = 0, list[str]()
    while pos < len(text):
        part = _PART.match(text, pos)
        if part is None:
            raise ValueError("a quote in it is not closed")
        pos = part.end()
        if part["end"]:
            break
        if part["escaped"] == "\n":  # the line goes on
            continue
        if not part["blank"]:
            kind = part.lastgroup or ""
            inside = part[kind]
            if kind == "quoted":
                inside = _IN_QUOTES.sub(lambda match: match[1].strip("\n"), inside[1:-1])
            word.append(_unescape(inside) if kind == "ansi" else inside)
        elif word:
            yield "".join(word)
            word = []
    if word:
        yield "".join(word)


def _unescape(inside: str) -> str:
    """Decode the escapes of a shell string ``$'…'``, given its inside; return the plain text."""
    try:
        units = _ANSI.sub(_ansi_character, inside)
        # Browsers write a character beyond U+FFFF as a pair of surrogates.
        return units.encode("utf-16", "surrogatepass").decode("utf-16")
    except (ValueError, OverflowError):
        raise ValueError("an escape in it names no character") from None


def _ansi_character(match: re.Match[str]) -> str:
    *hexadecimal, octal, letter = match.groups()
    digits = next(filter(None, hexadecimal), None)
    if letter:
        return _ANSI_LETTERS.get(letter, letter if letter in "'\"\\?" else match[0])
    return chr(int(digits, 16) if digits else int(octal, 8))
