"""JSON as TOON and back, and what both cost a language model.

    toon.encode(value)                         the TOON document of a value
    toon.decode(text)                          the value of a TOON document
    toon.dump(value, file), toon.load(file)    the same with an open file
    toon.encode(value, default=toon.default)   dates, dataclasses, pydantic, numpy and pandas too
    toon.encode_lines, toon.decode_lines       line by line, for what does not fit in memory
    toon.stats(value, model="gpt-5")           what it costs and what to send (extra ``tokens``)

TOON is that of https://github.com/toon-format/spec, version 4.4 or 3.3. A text that cannot be read
is a ``ToonDecodeError`` with its line, column, source line and hint; a value without a JSON form is
an ``EncodeError`` with its path. Both are ValueErrors. Costs are whole tokens of the named model.

The rest needs extras of the package; ``pip install 'token-lab[app]'`` brings all.
``import toon.pandas`` gives a DataFrame ``.toon.encode()`` and ``.toon.stats()``; ``%load_ext
toon`` gives a notebook ``%%toon_stats``; ``toon.context`` turns results of tools into TOON. In the
shell, ``toon --help`` lists the commands, and ``token-lab`` opens the app.

These names are the library; other modules may change with any version.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (where no installer has looked)
    version = ".".join(map(str, sys.version_info[:2]))
    message = f"token-lab needs Python 3.11 or later, and this is {version}:"
    message += " python3.11 -m venv .venv"
    raise (SystemExit if sys.argv[:1] == ["-m"] else ImportError)(message)

from toon.installed import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toon.codec.default import default
    from toon.codec.reading import decode, decode_lines, load
    from toon.codec.text import SPEC_VERSION
    from toon.codec.writing import dump, encode, encode_lines
    from toon.errors import EncodeError, JsonDecodeError, TextError, ToonDecodeError
    from toon.notebook.stats import stats

#: None of them needs an extra to be loaded, so that ``import *`` and ``help`` need none.
__all__ = [
    "SPEC_VERSION",
    "EncodeError",
    "JsonDecodeError",
    "TextError",
    "ToonDecodeError",
    "__version__",
    "decode",
    "decode_lines",
    "default",
    "dump",
    "encode",
    "encode_lines",
    "load",
    "stats",
]

#: The modules of the names: each is loaded at its first use, so that commands start at once.
_HOMES = {
    "codec.default": ("default",),
    "codec.text": ("SPEC_VERSION",),
    "codec.reading": ("decode", "decode_lines", "load"),
    "codec.writing": ("dump", "encode", "encode_lines"),
    "errors": ("EncodeError", "JsonDecodeError", "TextError", "ToonDecodeError"),
    "notebook.stats": ("stats",),
}

if not TYPE_CHECKING:  # a checker that saw it would take every misspelt name for a public one

    def __getattr__(name: str) -> object:
        home = next((home for home, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(__import__(f"toon.{home}", fromlist=[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: object) -> None:
    """Give a shell of IPython the magic ``%%toon_stats``; ``%load_ext toon`` calls this."""
    from toon.notebook.answer import register

    register(shell)
