"""How scripts and styles become components, and the one table of words and colours they all get.

What the server sends them says keys; ``TABLE`` says what a person sees for each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from toon import colours, wording
from toon.costs.choice import COMPACT
from toon.formats import AS_TYPED, FORMATS, label
from toon.layout.spans import KINDS

_HERE: Final = Path(__file__).parent

TABLE: Final = {
    "formats": {AS_TYPED: label(AS_TYPED), **{name: each.label for name, each in FORMATS.items()}},
    "baseline": COMPACT,
    "parts": {name: wording.KINDS[name] for name in (*KINDS, "explanation")},
    "badges": wording.BADGES,
    "typed": wording.YOUR_TEXT,
    "kinds": colours.KINDS,
    "saves": colours.SAVES_TEXT,
    "costs": colours.COSTS_TEXT,
}


def _variables() -> str:
    """The colours that styles use, on the page and in components; they follow the theme."""
    named = {"saves-text": colours.SAVES_TEXT, "costs-text": colours.COSTS_TEXT}
    for place, (light, dark) in enumerate(zip(*colours.KINDS.values(), strict=True)):
        named[f"kind-{place}"] = {"light": light, "dark": dark}
    shades = (
        f"--{name}: light-dark({shade['light']}, {shade['dark']});" for name, shade in named.items()
    )
    return f":root, :host {{ {' '.join(shades)} }}"


def joined(*paths: Path) -> str:
    """The texts of files, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def styles(*paths: Path) -> str:
    """Files of CSS behind the colours that they use."""
    return f"{_variables()}\n{joined(*paths)}"


def component(
    name: str, scripts: Iterable[Path], css: Iterable[Path] = (), html: Path | None = None
) -> Callable[..., Any]:
    """Registers files as a component of Streamlit; what is returned mounts it.

    The scripts become one module: each uses what those before it declare, and all use ``TABLE``.
    """
    table = f"const TABLE = {json.dumps(TABLE, ensure_ascii=False)};"
    return st.components.v2.component(
        f"token_lab_{name}",
        html=joined(html) if html else None,
        css=styles(*css),
        js=f"{table}\n{joined(_HERE / 'lasting.js', *scripts)}",
    )
