"""How much longer a run takes than its endpoint: ``python -m tests.benchmarks.asking``.

The endpoint, in a process of its own, takes as long a call as a quick model does. Calls cannot
take less than their seconds divided by how many are under way; the rest is the run's overhead.
"""

from __future__ import annotations

import json
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from tests.benchmarks.timing import ROOT, Ratios
from tests.reading.scripted import Act, Call, Say, serving
from toon.costs.models import choose
from toon.reading.asking import Order, ask
from toon.reading.budget import make_budget
from toon.reading.endpoint import Endpoint
from toon.reading.plan import make_plan
from toon.reading.run import Keeper, begin

#: The median call of the quickest model of the official benchmark: see toon/reading/known.json.
SECONDS = 0.9
FORMATS = ("toon", "yaml", "json-pretty")


def _serve(pipe: Connection) -> None:
    """Answers every call after its time; tells the URL, and at the end the seconds of all calls."""
    spent: list[float] = []

    def script(call: Call) -> Act:
        began = time.perf_counter()
        time.sleep(SECONDS)
        spent.append(time.perf_counter() - began)
        return Say("4")

    with serving(script) as server:
        pipe.send(server.url)
        for _ in range(2):
            pipe.recv()
            pipe.send(sum(spent))


def main() -> Ratios:
    concurrency = 8
    value = json.loads((ROOT / "samples" / "uniform-rows.json").read_text(encoding="utf-8"))
    plan = make_plan(value, FORMATS, 60, 1, is_explained=True, model="m", lab_model=choose("gpt-5"))
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,))
    process.start()
    endpoint = Endpoint(f"{ours.recv()}/v1", "m")
    path = Path("asking.parquet")
    order = Order(plan, endpoint, make_budget(plan), concurrency)
    run = begin(plan, endpoint)
    keeper = Keeper(path, run)
    endpoint.ask("The client library is loaded once, whatever the run.")
    ours.send(None)
    before = ours.recv()
    began, worked = time.perf_counter(), time.process_time()
    ask(order, run, on_record=lambda record: keeper.note())
    took, worked = time.perf_counter() - began, time.process_time() - worked
    ours.send(None)
    least = (ours.recv() - before) / concurrency
    process.join()
    path.unlink()
    calls = len(run.records)
    print(f"{calls} calls, {concurrency} at once: {took:.2f} s, the endpoint alone {least:.2f} s")
    print(
        f"overhead {took / least - 1:.1%}, of which the first call, alone, is at least "
        f"{SECONDS * (1 - 1 / concurrency) / least:.1%}"
    )
    share = worked / (least * concurrency)
    print(f"processor {1000 * worked / calls:.1f} ms a call, {share:.1%} of the endpoint's time")
    return [[took / least]]


if __name__ == "__main__":
    main()
