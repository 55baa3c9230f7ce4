"""The official suites of 4.x and 3.x, with the answers that 4.4 changed since 4.0.

They are read from a checkout of toon-format/spec or the shared test data.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import toon
from tests.conftest import SHARED
from toon.values.equality import Differences, differences

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
            spec | {OPTIONS[key]: MODES.get(v, v) for key, v in case.get("options", {}).items()},
            case.get("shouldError", False),
            id=f"{path.stem}: {case['name']}",
        )
        for path in sorted((folder / kind).glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))["tests"]
    ]
    assert cases, f"no cases in {folder / kind}"
    return cases


#: SPEC 4.4 §6 makes a malformed bracket segment an error in both modes; 4.0 read a literal key.
CHANGED_IN_4_4 = ("foo[1][bar]: 10", "key[]: 1,2", "foo[bar][1]: 20", "foo[2]extra: a,b")


@pytest.mark.parametrize(
    ("value", "expected", "options", "fails"), read_cases(4, "encode") + read_cases(3, "encode")
)
def test_encode(value: Any, expected: str, options: dict[str, Any], fails: bool) -> None:
    if fails:
        with pytest.raises(ValueError, match=r"."):
            toon.encode(value, **options)
    else:
        assert toon.encode(value, **options) == expected


@pytest.mark.parametrize(
    ("text", "expected", "options", "fails"), read_cases(4, "decode") + read_cases(3, "decode")
)
def test_decode(text: str, expected: Any, options: dict[str, Any], fails: bool) -> None:
    if fails or (text in CHANGED_IN_4_4 and "spec" not in options):
        with pytest.raises(toon.ToonDecodeError) as caught:
            toon.decode(text, **options)
        assert caught.value.line is not None
        assert caught.value.column is not None
        assert caught.value.message
    else:
        # Types, values and the order of keys; 250 and 250.0 are the same number.
        assert differences(expected, toon.decode(text, **options)) == Differences()


@pytest.mark.parametrize(("major", "count"), [(4, 516), (3, 400)])
def test_the_shared_suites_are_complete(
    major: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOON_SPEC", raising=False)
    if find_fixtures(major) is None:
        pytest.skip("no ../shared/spec")

    assert len(read_cases(major, "encode")) + len(read_cases(major, "decode")) == count


def test_a_checkout_is_read_by_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOON_SPEC", str(tmp_path))
    with pytest.raises(FileNotFoundError):
        read_cases(4, "encode")
    (tmp_path / "package.json").write_text('{"version": "4.4.0"}')

    assert find_fixtures(4) == tmp_path / "tests" / "fixtures" != find_fixtures(3)
    with pytest.raises(AssertionError, match="no cases in"):
        read_cases(4, "decode")
