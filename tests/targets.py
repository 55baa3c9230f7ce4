"""Everything that works on a text of strangers, by name: read from the product's own tables.

A target takes a text and gives a value, or raises a ``ValueError``; both are outcomes.
"""

import io
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, get_args

import toon.traffic as corpus
from toon.codec.reading import decode, decode_lines
from toon.codec.text import LEGACY_VERSION, SPEC_VERSION
from toon.compact.templates import parse as parse_template
from toon.context.trace import read_run
from toon.errors import TextError
from toon.formats import FORMATS, READ
from toon.formats.pasted import PASTED
from toon.playground import foreign
from toon.playground.detection import guess_dialect, read_any, read_toon
from toon.playground.editors import convert
from toon.playground.panes import Options, Pane
from toon.playground.places import places
from toon.playground.rewrite import indent, minify
from toon.playground.state import parse_document, read_kept, read_state
from toon.reading.grading import Type, is_right
from toon.secrets import mask
from toon.tokenizers import TOKENIZERS
from toon.traffic.urls import fold_url
from toon.values import filters, paths
from toon.values.json_text import parse_json

Target = Callable[[str], object]

_TEMPLATE: Final = parse_template(
    'line: {a|upper|join:"; "} <{?b}{b|map:"x","y"|preview:60|before:"@"}> {items[].name|date or a}'
)
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


def decoders() -> Iterator[tuple[str, Target]]:
    """What gives the value of a text."""
    for name, format in FORMATS.items():
        yield f"format {name}", format.read
        yield f"format {name}, leniently", partial(format.read, strict=False)
    for strict in (True, False):
        for spec in (SPEC_VERSION, LEGACY_VERSION):
            yield f"codec {spec}, {strict}", partial(decode, spec=spec, strict=strict)
        yield f"codec by lines, {strict}", partial(_by_lines, strict=strict)
    yield "codec 3.3 with paths", partial(decode, spec=LEGACY_VERSION, expand_paths=True)
    yield "JSON", parse_json
    yield "any text", read_any
    yield "TOON or a dialect", partial(read_toon, strict=False)
    yield "trace from JSON", partial(read_run, is_toon=False)
    yield "trace from TOON", partial(read_run, is_toon=True)
    yield "template", parse_template
    yield "path", paths.parse_typed
    yield "fields", filters.parse
    yield "state", lambda text: read_state(parse_document(text))
    yield (
        "kept record",
        lambda text: read_kept(dict.fromkeys(("side", "text", "name", "kept"), text)),
    )
    for name in foreign.KINDS:
        yield f"foreign {name}", partial(foreign.read_pasted, name)


def readers() -> Iterator[tuple[str, Target]]:
    """What reads a file of a corpus."""
    yield "corpus", corpus_reader()
    yield "corpus, whole", corpus_reader(whole=True)
    yield "corpus, paths", corpus_reader(payload_path="a.0", group_path="b")
    yield "corpus, sniffed", lambda text: corpus.sniff(io.BytesIO(_bytes(text)), "x")
    yield "URL", fold_url
    yield "secrets", mask


def writers() -> Iterator[tuple[str, Target]]:
    """What writes values that hold the text, as a string, as keys and as many strings."""
    for name, format in FORMATS.items():
        yield f"format {name}, written", partial(_written, format)
    yield "template, written", lambda text: _TEMPLATE.lines([_value(text)], now=_NOW)


def others() -> Iterator[tuple[str, Target]]:
    """What else the editors and pages do with a text."""
    for name, format in READ.items():
        yield f"layout of {name}", format.layout
    yield "recognised", guess_dialect
    yield "indented", indent
    yield "minified", minify
    yield "advice", lambda text: foreign.advise(text, TextError("", source=text[:99], column=1))
    yield "editor, JSON", lambda text: convert(Pane("json", text, Options()))
    yield "editor, TOON", lambda text: convert(Pane("toon", text, Options(strict=False)))
    for side in PASTED:
        yield f"editor, {side}", lambda text, side=side: convert(Pane(side, text, Options()))
    yield "places", lambda text: places(text, text, Options())
    yield "graded", graded


def graded(text: str) -> object:
    """An answer of any type; a truth, in contrast, is ours."""
    truths = {"number": "9.41", "boolean": "true", "date": "2026-01-02T10:00:00Z"}
    return [is_right(text, truths.get(type, "7"), type) for type in get_args(Type)]


def tokenizers() -> Iterator[tuple[str, Target]]:
    """Every tokenizer as a page asks it."""
    for name, tokenizer in TOKENIZERS.items():
        yield f"tokenizer {name}", partial(_counted, tokenizer)


def corpus_reader(**options: Any) -> Target:
    """Reads a text as a file, record by record."""
    return lambda text: deque(corpus.read(io.BytesIO(_bytes(text)), "x", **options), 0)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _by_lines(text: str, strict: bool) -> object:
    return deque(decode_lines(text.split("\n"), strict=strict), 0)


def _value(text: str) -> Any:
    parts = text.split("\n") if "\n" in text else [text[at : at + 8] for at in range(0, 4000, 8)]
    items = [{"name": part, part or "a": 1} for part in parts[:500]]
    return {"a": text, "b": parts, "items": items}


def _written(format: Any, text: str) -> object:
    value = _value(text)
    return [format.dumps(value), format.losses(value)]


def _counted(tokenizer: Any, text: str) -> object:
    return tokenizer.lengths(text)


def outcome(target: Target, text: str) -> object:
    """What the target gives, or its error; any but a ``ValueError`` goes through."""
    try:
        return target(text)
    except ValueError as error:
        return error
