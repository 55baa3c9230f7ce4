"""JSON as TOON and back, and what both cost a language model.

    toon.encode(value)                         the text of a value
    toon.decode(text)                          the value of a text
    toon.dump(value, file), toon.load(file)    the same with an open file
    toon.encode(value, default=toon.default)   dates, dataclasses, pydantic, numpy and pandas too
    toon.encode_lines, toon.decode_lines       line by line, for what does not fit in memory

The rest needs extras of the package; ``pip install 'token-lab[app]'`` brings all of them.
``import toon.pandas`` gives a DataFrame ``.toon.encode()`` and ``.toon.stats()``; ``%load_ext
toon`` gives a notebook ``%%toon_stats``; ``toon.context`` turns results of tools into TOON. In the
shell, ``toon --help`` lists the commands, and ``token-lab`` opens the app.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (where no installer has looked)
    found = ".".join(map(str, sys.version_info[:2]))
    message = f"token-lab needs Python 3.11 or later, and this is {found}: python3.11 -m venv .venv"
    raise (SystemExit if sys.argv[:1] == ["-m"] else ImportError)(message)

from toon.codec.api import (
    SPEC_VERSION,
    decode,
    decode_lines,
    dump,
    encode,
    encode_lines,
    load,
)
from toon.codec.default import default
from toon.errors import EncodeError, JsonDecodeError, TextError, ToonDecodeError
from toon.installed import VERSION as __version__


def load_ipython_extension(shell: object) -> None:
    """Gives a notebook the magic ``%%toon_stats``, by ``%load_ext toon``."""
    from toon.notebook.magic import register

    register(shell)


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
]
