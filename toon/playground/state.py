"""The playground's saved state as a JSON document: links, files and the browser hold it.

The document is ``{"tokenLab": 1, "side", "text", "name", "options"}``; the browser's own record
also has ``sample`` and ``kept``, and no version. A state is untrusted: its content is data, and
each field that is missing or invalid gets its default alone.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from toon.codec.text import DEFAULT_DELIMITER, NAMED_DELIMITERS
from toon.costs import models
from toon.costs.explanation import MOST_TOGETHER
from toon.costs.models import MODELS
from toon.costs.prices import MOST_CALLS
from toon.formats import FORMATS
from toon.formats.json import JsonFormat
from toon.limits import EDITOR_BYTES
from toon.playground.panes import SIDES, Side
from toon.text import find_surrogate
from toon.tokenizers import EXACT
from toon.wording import YOUR_TEXT

#: The version that this program writes, and the latest that it reads.
VERSION: Final = 1
#: Spaces a level that the editors offer.
INDENTS: Final = (1, 2, 4, 8)
#: The most characters of a person's own explanation.
_WORDING: Final = 20_000


@dataclass(frozen=True, slots=True)
class State:
    """A saved state of the playground: one editor's text with a name, and the controls by key.

    ``sample`` tells whether the text is an unchanged sample; ``kept`` is its id in the browser.
    """

    side: Side
    text: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    sample: bool = False
    kept: str | None = None


def _make_test(*tables: Any, type: type = str) -> Callable[[Any], bool]:
    """Return a test whether a value's type is exactly ``type`` and one of the tables holds it."""
    return lambda value: value.__class__ is type and any(value in table for table in tables)


_FLAG: Final = _make_test((False, True), type=bool)
_PER_CENT: Final = _make_test(range(0, 101, 5), type=int)


def _is_wordings(value: Any) -> bool:
    return isinstance(value, dict) and all(
        name in FORMATS
        and not isinstance(FORMATS[name], JsonFormat)
        and isinstance(text, str)
        and text.strip() != ""
        and len(text) <= _WORDING
        and find_surrogate(text) is None
        for name, text in value.items()
    )


#: Each control by its key in the session: the test of a value, and the default.
_CONTROLS: Final[dict[str, tuple[Callable[[Any], bool], Any]]] = {
    "model": (_make_test(MODELS, EXACT), models.default_model().name),
    "delimiter": (_make_test(NAMED_DELIMITERS), DEFAULT_DELIMITER),
    "indent": (_make_test(INDENTS, type=int), 2),
    "strict": (_FLAG, True),
    "explained_together": (_make_test(range(1, MOST_TOGETHER + 1), type=int), 1),
    "explained_none": (_FLAG, False),
    "explained_cached": (_PER_CENT, 0),
    "calls": (_make_test(range(MOST_CALLS + 1), type=int), 100_000),
    "cached": (_PER_CENT, 0),
    "batch": (_FLAG, False),
    "wordings": (_is_wordings, {}),
}
OPTIONS: Final = {name: may_be for name, (may_be, _) in _CONTROLS.items()}
DEFAULTS: Final = {name: default for name, (_, default) in _CONTROLS.items()}
#: A removed control, which old links still have.
_REMOVED: Final = "sent_as"
#: The beginning of a document; the editors have the same pattern.
_BEGINNING: Final = re.compile(r'\s*\{\s*"tokenLab"\s*:\s*\d')


def is_document(text: str) -> bool:
    """Return whether a text begins like a saved state of the playground: ``{"tokenLab": 1``."""
    return _BEGINNING.match(text) is not None


def parse_document(text: str) -> Any:
    """Decode the JSON text of a saved state of the playground.

    Raises:
        ValueError: The text is damaged.
    """
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        raise ValueError("This state is damaged.") from None


def read_options(options: object) -> tuple[dict[str, Any], list[str]]:
    """Return the valid options of a saved state as a dict, and the names of the other options."""
    if not isinstance(options, Mapping):
        return {}, []
    held = {
        name: value for name, value in options.items() if name in OPTIONS and OPTIONS[name](value)
    }
    return held, [str(name) for name in options if name not in held and name != _REMOVED]


def read_state(document: object) -> tuple[State, list[str]]:
    """Read a saved state of the playground from its decoded JSON, which is untrusted.

    Returns:
        The state, and a sentence for each part that could not be taken.

    Raises:
        ValueError: The document is no state; the message says why.
    """
    if not isinstance(document, Mapping) or type(document.get("tokenLab")) is not int:
        raise ValueError("This is not a state of the token lab.")
    state = _read_fields(document)
    if state is None:
        raise ValueError("This state holds no text.")
    if len(state.text) > EDITOR_BYTES:
        raise ValueError("The text of this state is too large.")
    problems = []
    if document["tokenLab"] > VERSION:
        problems.append("A newer version wrote this. What is known here was opened.")
    if document.get("side") != state.side:
        problems.append("It does not say which side its text is: it was opened as JSON.")
    options, dropped = read_options(document.get("options"))
    if dropped:
        names = _replace_surrogates(", ".join(dropped)[:200])
        problems.append(f"Left out, because unknown or out of range here: {names}.")
    if options.get("wordings"):
        problems.append("It brought its own notes to the model.")
    return replace(state, options=options, sample=False, kept=None), problems


def read_kept(record: object) -> tuple[State | None, dict[str, Any]]:
    """Return the state in a browser's decoded record (None without a text) and valid options."""
    if not isinstance(record, Mapping):
        return None, {}
    state = _read_fields(record)
    options, _ = read_options(record.get("options"))
    return (state if state and len(state.text) <= EDITOR_BYTES else None), options


def _read_fields(record: Mapping[str, Any]) -> State | None:
    """Read the text, side and name of a saved state, with defaults; return None without a text."""
    side, text, name, sample, kept = map(record.get, ("side", "text", "name", "sample", "kept"))
    if not isinstance(text, str):
        return None
    called = name if isinstance(name, str) and name.strip() else YOUR_TEXT
    return State(
        side if side in SIDES else "json",
        _replace_surrogates(text),
        _replace_surrogates(called[:200]),
        sample=sample is True,
        kept=_replace_surrogates(kept) if isinstance(kept, str) else None,
    )


def _replace_surrogates(text: str) -> str:
    """Replace unpaired surrogates in a text, which JSON can escape, by question marks."""
    return text.encode("utf-8", "replace").decode()
