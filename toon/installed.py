"""The installation: its version, the places of the app and its samples, the libraries of extras.

The codec needs one library, everything else an extra of the package (``pyproject.toml``). Every
command starts here, so this loads next to nothing.
"""

import os
import sys

VERSION = "1.0.0"

_HERE = os.path.dirname(os.path.abspath(__file__))
_LAB = os.path.join(_HERE, "_lab")

#: The folder with ``app.py``, ``pages`` and ``samples``: inside the library where that was
#: installed from a wheel, around it in a clone.
HOME = _LAB if os.path.isdir(_LAB) else os.path.dirname(_HERE)
#: The command that starts the app.
START = "token-lab" if HOME == _LAB else "streamlit run app.py"

_TOKENS = ("numpy", "tiktoken", "splintr", "yaml", "xmltodict", "genai_prices")
_TRAFFIC = (*_TOKENS, "pyarrow", "pandas", "jinja2")
_SERVICE = (*_TOKENS, "httpx2")
_MCP = (*_TRAFFIC, "mcp")
_TAP = (*_TRAFFIC, "httpx2", "uvicorn")
_APP = ("streamlit", "altair", "pyjson5", "json_repair")

#: The modules that an extra brings, by its name; those of the extras that it includes first.
EXTRAS: dict[str, tuple[str, ...]] = {
    "tokens": _TOKENS,
    "traffic": _TRAFFIC,
    "inspect": (*_TRAFFIC, "inspect_ai"),
    "service": _SERVICE,
    "mcp": _MCP,
    "tap": _TAP,
    "app": (*dict.fromkeys((*_SERVICE, *_MCP, *_TAP)), *_APP),
}


class InstallationError(ImportError):
    """Raised for something that is needed and not installed; the message says how to install it."""


def check_name() -> None:
    """Check that no other package has taken the folder ``toon`` of this one.

    Raises:
        InstallationError: Another package has, such as ``toon`` or ``python-toon`` of PyPI.
    """
    if "decode_lines" not in getattr(sys.modules["toon"], "__all__", ()):
        raise InstallationError(
            f"another package has written over this one in {_HERE}: pip uninstall toon python-toon"
            " && pip install --force-reinstall token-lab"
        )


def has(extra: str) -> bool:
    """Return whether all libraries of an extra of this package, such as ``app``, are installed."""
    return not _find_missing(extra)


def require(extra: str, feature: str) -> None:
    """Check that the libraries of an extra of this package are installed, which ``feature`` needs.

    Raises:
        InstallationError: A library of the extra is missing.
    """
    if missing := _find_missing(extra):
        names = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if missing[3:] else "")
        raise InstallationError(f"{feature} needs {names}: pip install 'token-lab[{extra}]'")


def _find_missing(extra: str) -> list[str]:
    from importlib.util import find_spec

    return [module for module in EXTRAS[extra] if find_spec(module) is None]
