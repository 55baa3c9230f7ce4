"""The public names of the library, and what importing it does not load."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import pytest

import toon
from tests.conftest import ROOT


def test_all_is_every_public_name() -> None:
    homes = {name: home for home, names in toon._HOMES.items() for name in names}

    assert set(toon.__all__) == {*homes, "__version__"} - {"stats"}  # which needs an extra
    assert set(toon.__all__) <= set(dir(toon))
    for name, home in homes.items():
        assert getattr(toon, name) is getattr(import_module(f"toon.{home}"), name)
    with pytest.raises(AttributeError, match="has no attribute 'encodes'"):
        _ = toon.encodes


@pytest.mark.rest
@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        (
            "import toon.cli, toon.costs.compare, toon.playground.panes, toon.http",
            {"streamlit", "pandas", "altair"},
        ),
        ("toon.decode(toon.encode({'a': [1]}))", {"numpy", "tiktoken", "splintr"}),
        (
            "import toon.cli; toon.cli.main(['encode', 'samples/tickets.json'])",
            {"orjson", "toon.codec.decoder", "typing", "inspect", "locale", "pathlib", "numpy"},
        ),
    ],
    ids=["the library", "the codec alone", "the command encode"],
)
def test_what_it_never_loads(program: str, unwanted: set[str]) -> None:
    found = f"sorted({unwanted} & set(sys.modules))"
    code = f"import sys, toon; {program}; print({found}, file=sys.stderr)"
    unguarded = {**os.environ, "PYTHONPATH": ""}  # the guard of the tests loads typing
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=ROOT, env=unguarded,
    )  # fmt: skip

    assert result.stderr.strip() == "[]"
