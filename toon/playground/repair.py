"""The repair of JSON that was cut off, which closes it with the library json-repair."""

import re
from typing import Final

from toon.errors import JsonDecodeError
from toon.playground.rewrite import Conversion
from toon.text import QUOTED, Notice
from toon.values.json_text import TOKEN, parse_json

#: The cut end of JSON: the beginning of a string, a word or a number.
_CUT_TOKEN: Final = re.compile(rf'{QUOTED}\Z|(?P<string>"(?:[^"\\]++|\\.)*+\Z)|[\w.+-]*\Z', re.S)
#: The beginning of an escape.
_ESCAPE: Final = re.compile(r"(?<!\\)(?:\\\\)*+(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
#: Placeholders for an unfinished string, and for the keys before it.
_PLACEHOLDER: Final = '"x'
_KEY: Final = "\uf8ff"
_SHOWN_CHARACTERS: Final = 40
_LITERALS: Final = ("true", "false", "null")


def repair_text(text: str) -> Conversion:
    """Close JSON that was cut off: return what was typed up to the cut with the missing end added.

    Raises:
        ValueError: The text has another fault than a missing end.
    """
    text = text.rstrip()
    escape = _ESCAPE.search(text)
    typed = text[: escape.start(1)] if escape else text
    pos, is_string = _find_cut(typed)
    word, words = typed[pos:], () if is_string else _LITERALS
    missing = next((full[len(word) :] for full in words if word and full.startswith(word)), "")
    typed += missing
    head, start, opened = _find_brackets(typed, pos)
    # The string's text need not be passed, and a key without its colon is no member.
    tail = typed[start:pos] + (_PLACEHOLDER if is_string else typed[pos:])
    if head.endswith("{") and ":" not in tail:
        tail = ""
    kept, added = _close(head + tail)
    if tail and kept == len(head + tail):
        cut = len(typed)
    elif kept >= len(head):
        cut = start + kept - len(head)
    else:  # the library leaves out what is empty in an array
        cut = next((place for end, place in opened if end > kept), 0)
    if not cut or not added:
        raise ValueError("it is not cut alone")
    added = missing * (cut == len(typed)) + added
    cut = min(cut, len(text))
    if added[0] in "}]":
        cut = len(typed[:cut].rstrip().removesuffix(","))
    json_text = typed[:cut] + added
    parse_json(json_text)
    left = text[cut:].strip()
    shown = left if len(left) <= _SHOWN_CHARACTERS else f"{left[:_SHOWN_CHARACTERS]}…"
    without = f" in place of {shown}" if left else ""
    return Conversion(json_text, (Notice(f"json-repair added {added} at its end{without}"),))


def _close(cut: str) -> tuple[int, str]:
    """Close cut JSON by json-repair: return how many characters are kept, and the text to add.

    The library only gets the containers open at the cut: its time grows with the square of the
    length, and it rewrites numbers and escapes.
    """
    from json_repair import repair_json

    closed = str(repair_json(cut, ensure_ascii=False, skip_json_loads=True))
    kept = same = 0
    for ours, theirs in zip(TOKEN.finditer(cut), TOKEN.finditer(closed), strict=False):
        if ours[0] != theirs[0]:
            break
        kept, same = ours.end(), theirs.end()
    left, added = cut[kept:], closed[same:].lstrip()
    blanks = len(left) - len(left.lstrip())
    if left.strip() and added.startswith(left.strip()):
        return len(cut), added.removeprefix(left.strip())
    return kept if left.strip() else kept + blanks, added


def _find_cut(typed: str) -> tuple[int, bool]:
    """Return the offset of the unfinished token that ends cut JSON, and whether it is a string.
    Raise ValueError if the JSON is whole or has another fault.
    """
    try:
        parse_json(typed)
    except JsonDecodeError as error:
        rest = (error.source or "")[(error.column or 1) - 1 :]
        match = _CUT_TOKEN.match(rest)
        if match and typed.endswith(rest):
            return len(typed) - len(rest), bool(match["string"])
    raise ValueError("it is not cut")


def _find_brackets(typed: str, pos: int) -> tuple[str, int, list[tuple[int, int]]]:
    """Reduce cut JSON to the brackets that are open at offset ``pos``, as a short JSON text.

    Return also the offset where the rest of the cut JSON starts, and for each bracket its end in
    the short text and its offset in the cut JSON.
    """
    places, start, has_items = list[int](), 0, False
    for token in TOKEN.finditer(typed, 0, pos):
        if token[0] in ("{", "["):
            places.append(token.start())
            start, has_items = token.end(), False
        elif token[0] in ("}", "]"):
            places.pop()
            start, has_items = token.end(), True
        elif token[0] == ",":
            start, has_items = token.start(), True
    if not places:
        raise ValueError("nothing is open")
    head, opened = "", list[tuple[int, int]]()
    for place in places:
        is_filled = has_items or place != places[-1]
        head += typed[place]
        opened.append((len(head), place))
        head += f'"{_KEY}":' if is_filled and typed[place] == "{" else ""
    return f"{head}null" if has_items else head, start, opened
