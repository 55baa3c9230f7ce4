"""How many functions of ours a key press runs through until the other side's text is sent."""

import gc
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import FrameType

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.conftest import ROOT
from toon.http import work
from toon.http.editors import EDITORS

pytestmark = pytest.mark.rest

HOME = str(ROOT / "toon")
TABLE = [{"id": n, "name": f"name {n}", "ok": n % 2 == 0, "price": n / 4} for n in range(40)]


def count_functions(text: str) -> tuple[int, int]:
    """How many functions, and in how many files; Python inlines comprehensions since 3.12."""
    client = TestClient(Starlette(routes=EDITORS))  # it starts a thread for each request
    called = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(HOME) and code.co_name[0] != "<":
            called.add((code.co_filename, code.co_firstlineno, code.co_name))

    gc.collect()  # what other tests left behind is no part of it
    gc.disable()
    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        answer = client.post("/convert?from=json&indent=2", content=text)
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]
        gc.enable()
    assert answer.json()["ok"]
    return len(called), len({name for name, *_ in called})


@pytest.mark.parametrize(
    ("text", "functions", "files"),
    # The memory is shared by four places, and one writer by all ways to encode.
    [(json.dumps(TABLE), 32, 11), ('{"a": 1, "b": [1, 2]}', 32, 11)],
    ids=["a table", "an object"],
)
def test_a_key_press_can_be_followed(
    monkeypatch: pytest.MonkeyPatch, text: str, functions: int, files: int
) -> None:
    """Whoever adds a step finds one to take out, or says here why it is worth reading."""
    count_functions(f"{text} ")  # what is kept by caches of functions is there
    with ThreadPoolExecutor(1) as fresh:  # a thread that runs already is not watched
        monkeypatch.setattr(work, "_THREADS", fresh)
        counts = count_functions(text)

    assert functions - 5 < counts[0] <= functions
    assert files - 5 < counts[1] <= files
