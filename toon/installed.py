"""What is installed: where the app and its samples are, and the libraries of each extra.

The codec needs one library, everything else an extra of the package (``pyproject.toml``).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent

#: The folder with ``app.py``, ``pages`` and ``samples``: inside the library where that was
#: installed from a wheel, around it in a clone.
HOME: Final = _HERE / "_lab" if (_HERE / "_lab").is_dir() else _HERE.parent

_TOKENS: Final = (
    "numpy", "tiktoken", "splintr", "yaml", "xmltodict", "genai_prices", "platformdirs",
)  # fmt: skip
_TRAFFIC: Final = (*_TOKENS, "pyarrow", "pandas", "jinja2")
_ASK: Final = (*_TOKENS, "httpx2", "pydantic")

#: The modules that an extra brings, by its name; those of the extras that it includes first.
EXTRAS: Final = {
    "tokens": _TOKENS,
    "traffic": _TRAFFIC,
    "ask": _ASK,
    "mcp": (*_TOKENS, "mcp"),
    "app": (*dict.fromkeys((*_TRAFFIC, *_ASK)), "streamlit", "altair", "pyjson5"),
}


class MissingExtraError(ImportError):
    """Libraries of an extra are not installed; the message says how to install them."""


def has(extra: str) -> bool:
    """Whether all libraries of an extra are installed."""
    return not _missing(extra)


def require(extra: str, what: str) -> None:
    """Checks that an extra is installed, for ``what`` needs it.

    Raises:
        MissingExtraError: It is not, or not all of it.
    """
    if missing := _missing(extra):
        raise MissingExtraError(
            f"{what} needs {', '.join(missing)}: pip install 'token-lab[{extra}]'"
        )


def _missing(extra: str) -> list[str]:
    return [module for module in EXTRAS[extra] if find_spec(module) is None]
