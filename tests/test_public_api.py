"""The public names of the library, and what importing it does not load."""

from __future__ import annotations

import subprocess
import sys

import pytest

import toon
from tests.conftest import ROOT


def test_all_is_every_public_name() -> None:
    public = {
        name
        for name, value in vars(toon).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }

    assert set(toon.__all__) == public - {"load_ipython_extension"} | {"__version__"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        (
            "import toon.cli, toon.costs.compare, toon.playground.panes, toon.http",
            {"streamlit", "pandas", "altair"},
        ),
        ("toon.decode(toon.encode({'a': [1]}))", {"numpy", "tiktoken", "splintr"}),
    ],
    ids=["the library", "the codec alone"],
)
def test_what_it_never_loads(program: str, unwanted: set[str]) -> None:
    code = f"import sys, toon; {program}; print(sorted({unwanted} & set(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert result.stdout.strip() == "[]"
