"""Texts with JSON inside: logs, chat answers, HTTP messages, web tokens, strings."""

import base64
import json
import re
from typing import Any, Final

from toon.playground.rewrite import Conversion, Obstacle, convert, convert_body, is_json, make_array
from toon.values.json_text import parse_json
from toon.values.log_lines import find_json, group_entries, is_logged, read_events
from toon.wording import plural

HTML: Final = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.I)
EVENTS: Final = re.compile(r"(?:(?:event|id|retry)?:[^\n]*\n|\s++)*+data:")
FENCE: Final = re.compile(
    r"^[ \t]*+(`{3,}+|~{3,}+)[ \t]*+(?P<info>\w*+)[^\n`]*+\n(?P<inside>.*?)(?:^[ \t]*\1[ \t]*$|\Z)",
    re.M | re.S,
)
HTTP: Final = re.compile(r"\s*(?:\*[^\n]*\n)*+(?:[<>] )?(?:HTTP/\d|[A-Z]{3,7} \S+ HTTP/\d)")
JWT: Final = re.compile(r"\s*(?:Bearer\s+)?eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*\s*\Z")
#: A string of JSON, or its inside without the quotes.
STRING: Final = re.compile(r"""\s*["']\s*[\[{"\\]|\s*[\[{]\s*\\+["n]""")
#: curl's own lines about a call, around the body.
_CURL_LINE: Final = re.compile(r"^(?:[<>*](?: [^\n]*)?|[{}] \[\d+ bytes[^\n]*)(?:\n|\Z)", re.M)
_CHUNKED: Final = re.compile(r"^transfer-encoding:.*chunked", re.I | re.M)
_PAIRS: Final = ("{}", "[]")
_WORD: Final = re.compile(r"\w")
AROUND: Final = "the text around it is left out"


def is_log(text: str) -> bool:
    """Return whether a text looks like a log, by its first line that is not blank."""
    return is_logged(text.lstrip().partition("\n")[0])


def json_of_log(text: str) -> Conversion:
    """Return as JSON text an array of the first JSON in each log entry; if none, of all lines."""
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    logged = ["\n".join(entry) for entry in group_entries(lines, str)]
    places = [(entry, place) for entry in logged if (place := find_json(entry))]
    if not places:
        return make_array(json.dumps(line, ensure_ascii=False) for line in lines)
    missing = len(logged) - len(places)
    notes = [f"{plural(missing, 'line without JSON is', 'lines without JSON are')} left out"]
    more = sum(find_json(entry, place.stop) is not None for entry, place in places)
    behind = f"of {plural(more, 'line')} all JSON but the first is left out"
    texts = (entry[place].rstrip() for entry, place in places)
    return make_array(texts, *notes * bool(missing), *[behind] * bool(more))


def json_of_events(text: str) -> Conversion:
    """Return as JSON text an array of the JSON in server-sent events, whose lines are joined."""
    events = list[str]()
    for lines in read_events(text):
        joined = "\n".join(lines)
        events += [joined] if is_json(joined) else lines  # as if there were blank lines between
    return make_array(event for event in events if event.strip() not in ("", "[DONE]"))


def json_in_text(text: str) -> Conversion:
    """Return as JSON text an array of the JSON objects and arrays between words of a prose text.

    Raise ValueError if there are none, or nothing but JSON.
    """
    values, around, pos = list[str](), list[str](), 0
    while place := find_json(text, pos):
        if array := find_json(text[pos : place.start]):
            place = slice(pos + array.start, pos + array.stop)
        around.append(_check_pairs(text[pos : place.start]))
        values.append(text[place])
        pos = place.stop
    around.append(_check_pairs(text[pos:]))
    is_list = len(values) > 1 and not around[0].strip()
    if not values or is_list or not any(map(_WORD.search, around)):
        raise ValueError("nothing but JSON, or none")
    return make_array(values, AROUND)


def _check_pairs(part: str) -> str:
    """Return a piece of the text around JSON; raise ValueError if its brackets do not pair up."""
    if any(part.count(left) != part.count(right) for left, right in _PAIRS):
        raise ValueError("a part of something else")
    return part


def body_of_http(text: str) -> Conversion:
    """Return the JSON body of an HTTP message, also amid curl's own lines; else raise Obstacle."""
    head, text = "", _CURL_LINE.sub("", text.replace("\r\n", "\n")).lstrip("\n")
    while HTTP.match(text):  # an interim answer has only headers
        head, _, text = text.partition("\n\n")
    if _CHUNKED.search(head) and not is_json(text):
        raise Obstacle("its body came in chunks, whose sizes stand between them")
    return convert_body(text)


def claims_of_token(text: str) -> Conversion:
    """Return a JSON Web Token's claims as indented JSON; its signature is dropped unchecked."""
    claims = base64.urlsafe_b64decode(f"{text.split('.')[1]}===").decode()
    return convert(parse_json(claims).value, "its signature is left out, and was not checked")


def json_in_string(text: str) -> Conversion:
    """Return the JSON text of the object or array in a string of escaped JSON, also if nested."""
    inside: Any = text.strip().rstrip(",;")
    if inside[0] == "'":
        inside = inside[1:].removesuffix("'")
    elif inside[0] != '"':
        inside = json.loads(f'"{inside}"')
    while not isinstance(value := parse_json(inside).value, dict | list):
        if not isinstance(value, str):
            raise ValueError("no JSON in it")
        inside = value
    return Conversion(inside)


def page(text: str) -> Conversion:
    """Turn the whole source of an HTML page into one JSON string, without the blanks around it."""
    return Conversion(json.dumps(text.strip(), ensure_ascii=False))
