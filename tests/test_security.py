"""Every promise of SECURITY.md names the tests that keep it, and each of them exists."""

import ast
import re
from typing import Final

from tests.conftest import ROOT

TEXT: Final = (ROOT / ".github" / "SECURITY.md").read_text(encoding="utf-8")
NAMED: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_named_test_exists() -> None:
    named = NAMED.findall(TEXT)
    for path, name in named:
        tree = ast.parse((ROOT / path).read_bytes())
        functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert name in functions, f"{path}::{name}"
    assert len(named) == len(re.findall("tests/", TEXT)) > 20


def test_every_promise_has_a_test() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and "---" not in line]
    promises = [row for row in rows if row != "| promise | kept by |"]

    assert [row for row in promises if not NAMED.search(row)] == []
    assert len(promises) > 15
