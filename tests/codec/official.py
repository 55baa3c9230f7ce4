"""The cases of the official suite, from a checkout of toon-format/spec or the shared test data."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED

#: The last version of each major version that lies in the shared test data.
SHARED_FIXTURES = {4: "fixtures-4.0", 3: "fixtures-3.3"}
OPTIONS = {
    "delimiter": "delimiter",
    "expandPaths": "expand_paths",
    "flattenDepth": "flatten_depth",
    "indent": "indent_size",
    "indentSize": "indent_size",
    "keyFolding": "key_folding",
    "strict": "strict",
}
MODES = {"safe": True, "off": False}


def find_fixtures(major: int) -> Path | None:
    """The folder of fixtures for a major version of the specification, None where there is none.

    ``TOON_SPEC`` names one or more checkouts of toon-format/spec, separated as in ``PATH``; the
    ``package.json`` of a checkout says which version it holds.
    """
    for checkout in filter(None, os.environ.get("TOON_SPEC", "").split(os.pathsep)):
        version = json.loads((Path(checkout) / "package.json").read_text())["version"]
        if version.startswith(f"{major}."):
            return Path(checkout) / "tests" / "fixtures"
    spec = SHARED / "spec"
    return spec / SHARED_FIXTURES[major] if spec.is_dir() else None


def read_cases(major: int, kind: str) -> list[Any]:
    """pytest parameters ``input, expected, options, fails`` of every case; kind: encode or decode.

    The options of 3.x name its specification. Without fixtures there is one parameter, which is
    skipped. A folder without cases is an error.
    """
    folder = find_fixtures(major)
    if folder is None:
        reason = f"no fixtures of TOON {major}: neither TOON_SPEC nor ../shared/spec"
        return [pytest.param(None, None, {}, False, marks=pytest.mark.skip(reason), id="absent")]
    spec = {"spec": "3.3"} if major == 3 else {}
    cases = [
        pytest.param(
            case["input"],
            case["expected"],
            spec | {OPTIONS[key]: MODES.get(it, it) for key, it in case.get("options", {}).items()},
            case.get("shouldError", False),
            id=f"{path.stem}: {case['name']}",
        )
        for path in sorted((folder / kind).glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))["tests"]
    ]
    assert cases, f"no cases in {folder / kind}"
    return cases
