"""The file of a run: what comes back, what is refused, and that the key is not in it."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.measuring.corpora import flipped
from tests.reading.scripted import KEY, PEOPLE, Say, perfect, plan_of, serving
from tests.reading.test_run import PLAN, run
from toon.errors import RunError
from toon.reading.asking import Order, ask
from toon.reading.budget import make_budget
from toon.reading.plan import Plan
from toon.reading.run import (
    UNDER_WAY,
    AskedRun,
    Keeper,
    begin,
    check_resumable,
    read_run,
    to_parquet,
)


def kept(tmp_path: Path, plan: Plan = PLAN) -> tuple[Path, AskedRun]:
    """A finished run in a file, by an endpoint that repeats the key wherever it can."""
    path = tmp_path / "run.parquet"
    with serving(lambda call: Say(f"{KEY} {call.headers['authorization']}")) as server:
        endpoint = server.endpoint(key=KEY)
        order = Order(plan, endpoint, make_budget(plan))
        run = begin(plan, endpoint)
        keeper = Keeper(path, run)
        ask(order, run, on_record=lambda _: keeper.note())
    keeper.write()
    return path, run


def test_a_run_comes_back_from_its_file_with_how_it_was_asked(tmp_path: Path) -> None:
    path, run = kept(tmp_path)

    assert read_run(path) == run
    assert len(run.records) == 24
    meta = run.meta
    assert (meta.model, meta.answered, meta.seed, meta.stopped) == ("small", ["small-1"], 1, "")
    assert (meta.temperature, meta.is_explained, meta.formats) == (0, False, list(PLAN.formats))
    assert meta.base_url.startswith("http://127.0.0.1:")
    assert meta.payload == PLAN.payload_hash
    assert "{question}" in meta.template


def test_the_key_is_in_no_file_and_no_text(tmp_path: Path) -> None:
    path, run = kept(tmp_path, plan_of(2))

    table = pq.read_table(path)
    texts = [str(table.to_pylist()), str(table.schema.metadata), repr(run)]
    assert "…" in texts[0]
    assert not any(KEY in text for text in texts)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (plan_of(12, value={**PEOPLE, "more": 1}), "The run has another payload: "),
        (replace(PLAN, model="big"), "The run has another model: small there, big here."),
        (replace(PLAN, seed=2), "The run has another seed: 1 there, 2 here."),
        (plan_of(12, is_explained=True), "The run has another explanations: without there, with"),
        (plan_of(12, answer_tokens=9), "The run has another bound of an answer: 256 there, 9"),
        (plan_of(5), "The run has other questions: of another count, or another version."),
    ],
)
def test_a_run_of_another_plan_is_not_gone_on_with(tmp_path: Path, other: Plan, words: str) -> None:
    outcome, server, _ = run(perfect(PLAN))
    done = begin(PLAN, server.endpoint(), outcome.run)

    check_resumable(done, PLAN)
    with pytest.raises(RunError) as error:
        check_resumable(done, other)
    assert str(error.value).startswith(words)


@pytest.mark.rest
def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    text, table = tmp_path / "a.txt", tmp_path / "b.parquet"
    text.write_text("no Parquet")
    pq.write_table(pq.read_table(kept(tmp_path)[0]).replace_schema_metadata(), table)

    with pytest.raises(RunError, match="is not a Parquet file"):
        read_run(text)
    with pytest.raises(RunError, match="is no run of questions"):
        read_run(table)


def test_a_changed_bit_of_a_run_changes_no_answer(tmp_path: Path) -> None:
    path, whole = kept(tmp_path, plan_of(2))
    for data in flipped(path.read_bytes()):
        with suppress(RunError):
            assert read_run(io.BytesIO(data)) == whole
    with pytest.raises(RunError, match="The file cannot be read: "):
        read_run(io.BytesIO(b"PAR1?" + path.read_bytes()[5:]))


def test_a_growing_run_is_in_its_file_but_for_a_few_answers(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    outcome, server, _ = run(perfect(PLAN))
    growing = begin(PLAN, server.endpoint())
    keeper = Keeper(path, growing)

    assert read_run(path).records == []
    for number, record in enumerate(outcome.records, 1):
        growing.add(record)
        keeper.note()
        assert number - len(read_run(path).records) < 4
    assert read_run(path).meta.stopped == UNDER_WAY


def test_lone_surrogates_of_an_answer_can_be_written(tmp_path: Path) -> None:
    plan = plan_of(1)
    outcome, server, _ = run(lambda call: Say("a\ud800b"), plan)
    found = begin(plan, server.endpoint(), outcome.run)

    (tmp_path / "run.parquet").write_bytes(to_parquet(found))
    assert [one.said for one in read_run(tmp_path / "run.parquet").records] == ["a\ufffdb"] * 2


@pytest.mark.parametrize(
    "change",
    [
        {"formats": None},
        {"formats": [[1]]},
        {"answered": [1]},
        {"model": 5},
        {"questions": None},
        {"format": None},
        {"is_right": None},
        {"prompt_tokens": -5},
        {"seconds": float("nan")},
    ],
)
def test_a_file_with_values_that_no_run_has_is_refused(
    change: dict[str, object], tmp_path: Path
) -> None:
    path, run = kept(tmp_path, plan_of(2))
    if change.keys() <= vars(run.meta).keys():
        table, meta = pq.read_table(path), json.dumps({**vars(run.meta), **change})
        pq.write_table(table.replace_schema_metadata({b"toon.reading": meta}), path)
    else:
        changed = [replace(one, **change) for one in run.records]  # type: ignore[arg-type]
        path.write_bytes(to_parquet(AskedRun(run.meta, changed)))

    with pytest.raises(RunError, match="is no run of questions: toon ask did not write it"):
        read_run(path)
