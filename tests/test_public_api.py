"""The public names of the library, and what importing it does not load."""

from __future__ import annotations

import subprocess
import sys

import toon
from tests.conftest import ROOT


def test_all_is_every_public_name() -> None:
    public = {
        name
        for name, value in vars(toon).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }

    assert set(toon.__all__) == public


def test_the_library_never_imports_streamlit_pandas_or_altair() -> None:
    program = (
        "import sys, toon, toon.cli, toon.costs.compare, toon.playground.panes, toon.http\n"
        "print(sorted({'streamlit', 'pandas', 'altair'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert result.stdout.strip() == "[]"


def test_the_codec_alone_loads_neither_numpy_nor_a_tokenizer() -> None:
    program = (
        "import sys, toon\n"
        "toon.decode(toon.encode({'a': [1]}))\n"
        "print(sorted({'numpy', 'tiktoken', 'splintr'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert result.stdout.strip() == "[]"
