"""The official suite of spec 4.0, with the answers that 4.4 changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import toon
from tests.conftest import needs_shared, shared_files
from toon.values.equality import Differences, differences

OPTIONS = {"indentSize": "indent_size", "delimiter": "delimiter", "strict": "strict"}

#: SPEC 4.4 §6 makes a malformed bracket segment an error in both modes; 4.0 read a literal key.
CHANGED_IN_4_4 = ("foo[1][bar]: 10", "key[]: 1,2", "foo[bar][1]: 20", "foo[2]extra: a,b")


def cases(kind: str) -> list[Any]:
    found = []
    for path in shared_files(f"spec/fixtures-4.0/{kind}/*.json"):
        for case in json.loads(path.read_text())["tests"]:
            options = {OPTIONS[key]: value for key, value in case.get("options", {}).items()}
            fails = case.get("shouldError", False) or case["input"] in CHANGED_IN_4_4
            label = f"{Path(path).stem}: {case['name']}"
            found.append(pytest.param(case["input"], case["expected"], options, fails, id=label))
    return found


@needs_shared
def test_the_suite_is_complete() -> None:
    assert len(cases("encode")) + len(cases("decode")) == 516


@pytest.mark.parametrize(("value", "expected", "options", "fails"), cases("encode"))
def test_encode(value: Any, expected: str, options: dict[str, Any], fails: bool) -> None:
    if fails:
        with pytest.raises(ValueError, match=r"."):
            toon.encode(value, **options)
    else:
        assert toon.encode(value, **options) == expected


@pytest.mark.parametrize(("text", "expected", "options", "fails"), cases("decode"))
def test_decode(text: str, expected: Any, options: dict[str, Any], fails: bool) -> None:
    if fails:
        with pytest.raises(toon.ToonDecodeError) as caught:
            toon.decode(text, **options)
        assert caught.value.line is not None
        assert caught.value.column is not None
        assert caught.value.message
    else:
        assert differences(expected, toon.decode(text, **options)) == Differences()
