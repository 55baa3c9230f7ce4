"""The two-pane live editor, JSON and TOON, with the answer above it, as one Streamlit component.

The texts live in the browser. While the user types, they are converted and measured over HTTP, and
the answer is asked for there too (``toon/http/editors.py``). After a pause Python hears which
documents the panes hold. So typing never waits for a rerun, and no rerun overwrites what was typed.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from pages.parts.built import API, component
from toon import limits

_HERE: Final = Path(__file__).parent
_STYLES: Final = [
    _HERE / f"{name}.css" for name in ["editor", "code", "answer", "tools", "rewrite", "hover"]
]

_mount = component("editor", _STYLES, _HERE / "editor.html")
_mount_card = component("card", _STYLES, _HERE / "card.html")

#: The sizes the browser works by, in UTF-16 units except for ``bytes``.
_LIMITS: Final = {
    "live": limits.LIVE_CHARACTERS,
    "bytes": limits.EDITOR_BYTES,
    "coloured": limits.COLOURED_CHARACTERS,
    "typing": limits.TYPING_CHARACTERS,
}


def mount_card() -> None:
    """Draw an empty outline above the editors, which they fill with the answer: what to send."""
    _mount_card(key="card")


def mount_editor(
    document: Mapping[str, Any],
    options: Mapping[str, Any],
    *,
    key: str,
    on_edit: Callable[[], None],
    on_next: Callable[[], None],
    on_sample: Callable[[], None],
    title: str = "",
    reads: Mapping[str, tuple[str, str]],
    service: Mapping[str, str],
) -> None:
    """Draw the playground's two panes, JSON and TOON, which convert into each other.

    Args:
        document: ``{"version": int, "side": "json" | "toon", "text": str}``, and optionally
            ``"name"``, the stem of downloaded files. Only a new version replaces the user's text.
        options: How the texts are converted and counted: what the controls say, and the
            ``delimiter`` and ``tokenizer``; a change converts the pane last edited again.
        key: The component's key. ``st.session_state[key]["edit"]`` holds the edited texts:
            ``{"json": id | None, "toon": id | None, "side", "valid", "version", "waiting"}`` with
            ids of :class:`toon.playground.panes.Documents`; ``waiting`` for a large text that
            nobody has asked to measure, which has no id.
        on_edit: Called after an edit: 0.8 s after the last answer of the server, or at once for a
            text that waits.
        on_next: Called when a next step is chosen: ``st.session_state[key]["next"]``, a
            :class:`toon.advisor.next.Next`.
        on_sample: Called when the key for the next sample is pressed.
        title: What people call the document, if it is a sample.
        reads: Whether models read a format worse than JSON, by the first word of its name, and
            ``other`` for those that are not listed: as far as it is known, shortly and at length.
        service: What is shown of the service that counts for the model: see
            :func:`pages.parts.service.service_counts`.
    """
    _mount(
        key=key,
        data={
            "key": key,
            "document": dict(document),
            "options": dict(options),
            "api": API,
            "limits": _LIMITS,
            "name": document.get("name") or "payload",
            "title": title,
            "reads": dict(reads),
            "service": dict(service),
        },
        on_edit_change=on_edit,
        on_next_change=on_next,
        on_sample_change=on_sample,
    )
