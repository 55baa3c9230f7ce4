"""A terabyte on a Dask cluster: ``python -m tests.benchmarks.terabyte [FILE] [--price 0.05]``.

Measures a real cluster on this machine: two workers, a scheduler, and this process, which reads and
writes as ``toon measure`` does (JSON three ways and TOON, o200k_base). From the processor time of
each, by size of the tasks, it computes and simulates clusters of 2, 8 and 64 workers. All hours
are estimates. Three comparisons say how far they are off: the simulation against the measured
run, the formula against the simulation, and the rounds against each other.

The hours hold for payloads like those of FILE, which is not packed and has some 40 MB, or of the
corpus benchmark, and for processors like this one. Every process has a core of its own there.
Networks and disks are taken to be fast enough; what they have to carry is printed.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import distributed
from distributed.deploy.subprocess import SubprocessCluster

from tests.benchmarks.cluster_model import Costs, model, simulate
from tests.benchmarks.corpus import FORMATS_MEASURED, write_log
from tests.benchmarks.timing import ROOT, Ratios
from tests.conftest import python_path
from toon.measuring import run
from toon.measuring.run import CHUNK_BYTES, Progress
from toon.traffic import read
from toon.wording import signed_percent

TERABYTE: Final = 10**12
NIGHT: Final = 8  # hours
WORKERS: Final = 2
MODELLED: Final = (2, 8, 64)
SIZES: Final = (CHUNK_BYTES // 4, CHUNK_BYTES, CHUNK_BYTES * 4)
LOG_BYTES: Final = 40_000_000
SIMULATED: Final = 10_000  # tasks
EMPTY: Final = 2_000  # tasks
IDLE: Final = 4  # seconds


class Round(NamedTuple):
    """One measured run: its tasks, its seconds by the clock, and what it took of processors."""

    bytes: int
    tasks: int
    seconds: float
    durations: list[float]  # of the tasks in their workers, by the clock
    spent: Costs
    joining: float
    result: float  # bytes of a task's result


class Size(NamedTuple):
    """What tasks of one size cost: processor seconds a task, without what an idle process takes."""

    bytes: float
    costs: Costs
    joining: float
    durations: list[float]  # in proportion; ``costs`` has their mean
    result: float
    off: list[float]  # measured seconds / simulated ones, by round
    spread: float  # between rounds, of the workers' costs, as a share

    def simulated(self, workers: int) -> float:
        """The seconds that the simulation gives, against the formula."""
        scale = self.costs.worker / mean(self.durations)
        drawn = [scale * each for each in Random(1).choices(self.durations, k=SIMULATED)]
        return simulate(drawn, workers, self.costs) / model(SIMULATED, workers, self.costs)

    def hours(self, workers: int, share: float = 1) -> float:
        """Hours that a share of a terabyte takes, by the formula."""
        tasks = math.ceil(share * TERABYTE / self.bytes)
        return (model(tasks, workers, self.costs) + tasks * self.joining) / 3600


class Bench:
    """A cluster of two workers on this machine."""

    def __init__(self, client: Any, folder: Path) -> None:
        self.client = client
        self.folder = folder

    def spent(self) -> Costs:
        """Processor seconds of all workers, the scheduler and this process so far."""
        return Costs(
            sum(self.client.run(time.process_time).values()),
            self.client.run_on_scheduler(time.process_time),
            time.process_time(),
        )

    def idle(self) -> Costs:
        """The share of a core that each process takes when there is nothing to do."""
        before, start = self.spent(), time.perf_counter()
        time.sleep(IDLE)
        took = time.perf_counter() - start
        spent = _minus(self.spent(), before)
        return Costs(*(each / took for each in spent._replace(worker=spent.worker / WORKERS)))

    def empty(self) -> float:
        """The scheduler's seconds for a task that does nothing."""
        before = self.spent()
        futures = [self.client.submit(_nothing, number, pure=False) for number in range(EMPTY)]
        self.client.gather(futures)
        return (self.spent().scheduler - before.scheduler) / EMPTY

    def round(self, log: Path, size: int) -> Round:
        """Measures a file in tasks of a size."""
        seen: list[tuple[Progress, float]] = []
        with (
            patch.multiple(run, CHUNK_BYTES=size, CHUNK_RECORDS=10**9),
            distributed.get_task_stream(self.client) as stream,
        ):
            before = self.spent()
            run.measure(
                read(log, log.name),
                self.folder / "run.parquet",
                formats=FORMATS_MEASURED,
                scheduler=self.client.scheduler.address,
                resume=False,
                progress=lambda progress: seen.append((progress, time.process_time())),
            )
            end = time.process_time()
        last, measured = seen[-1]
        spent = _minus(self.spent()._replace(coordinator=measured), before)
        durations = [stop - start for start, stop in sorted(map(_start_and_stop, stream.data))]
        result = mean(task["nbytes"] for task in stream.data)
        return Round(
            log.stat().st_size, len(seen), last.seconds, durations, spent, end - measured, result
        )


def _start_and_stop(task: Any) -> tuple[float, float]:
    times = task["startstops"]
    return min(each["start"] for each in times), max(each["stop"] for each in times)


def _nothing(_: int) -> None:
    pass


def _minus(first: Costs, second: Costs) -> Costs:
    return Costs(*(a - b for a, b in zip(first, second, strict=True)))


@contextmanager
def started(folder: Path) -> Iterator[Bench]:
    """A cluster whose workers have joined."""
    with (
        patch.dict(os.environ, PYTHONPATH=python_path(ROOT)),
        SubprocessCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(WORKERS)
        yield Bench(client, folder)


def summarise(rounds: Sequence[Round], nothing: Round, idle: Costs) -> Size:
    """What tasks of one size cost, from a few rounds and from a run of no records."""
    tasks = sum(each.tasks for each in rounds)
    off, workers = [], []
    total = Costs(0, 0, 0)
    for each in rounds:
        spent = _minus(each.spent, nothing.spent)
        background = Costs(*(share * each.seconds for share in idle))
        background = background._replace(worker=WORKERS * background.worker)
        pure = _minus(spent, background)
        costs = Costs(*(part / (1 - share) for part, share in zip(pure, idle, strict=True)))
        total = Costs(*map(sum, zip(total, costs, strict=True)))
        workers.append(costs.worker / each.tasks)
        alone = Costs(*(part / each.tasks for part in costs))
        off.append(each.seconds / simulate(each.durations, WORKERS, alone))
    return Size(
        sum(each.bytes for each in rounds) / tasks,
        Costs(*(each / tasks for each in total)),
        sum(each.joining for each in rounds) / tasks,
        # Tasks start in order. What is longer in one round is another program's doing.
        [min(same) for same in zip(*(each.durations for each in rounds), strict=False)],
        mean(each.result for each in rounds),
        off,
        (max(workers) - min(workers)) / mean(workers) / 2,
    )


def measure(file: Path | None, rounds: int) -> list[Size]:
    """Prints what was measured; the costs of tasks of each size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nothing, first, log = (folder / f"{each}.jsonl" for each in ("nothing", "first", "log"))
        nothing.touch()
        write_log(first, CHUNK_BYTES)
        if file is None:
            write_log(log, LOG_BYTES)
        start = time.perf_counter()
        with started(folder) as bench:
            bench.round(first, CHUNK_BYTES)
            print(f"{WORKERS} workers: first result after {time.perf_counter() - start:.0f} s")
            idle, empty, least = bench.idle(), bench.empty(), bench.round(nothing, CHUNK_BYTES)
            found = [[bench.round(file or log, size) for size in SIZES] for _ in range(rounds)]
    print(f"scheduler: {empty * 1e3:.1f} ms for an empty task, {idle.scheduler:.1%} of a core idle")
    return [summarise(list(each), least, idle) for each in zip(*found, strict=True)]


def print_costs(sizes: Sequence[Size]) -> None:
    print("\nprocessor milliseconds a task, and how long the run took against its simulation")
    heads = ("worker", "scheduler", "coordinator", "joining")
    print(f"{'task':>8}" + "".join(f"{head:>13}" for head in heads) + "   measured / simulated")
    for size in sizes:
        costs = "".join(f"{each * 1e3:13.1f}" for each in (*size.costs, size.joining))
        off = ", ".join(f"{each:.2f}" for each in size.off)
        print(f"{size.bytes / 1e6:5.2f} MB{costs}   {off}")


def print_clusters(sizes: Sequence[Size]) -> None:
    print("\n1 TB by one command, estimated")
    print(f"{'task':>8}{'workers':>9}{'hours':>8}{'core-hours':>12}{'simulated':>11}   slowest")
    for size in sizes:
        for workers in MODELLED:
            hours = size.hours(workers)
            cells = f"{workers:9}{hours:8.1f}{hours * (workers + 2):12,.0f}"
            simulated = f"{signed_percent(size.simulated(workers) - 1):>11}"
            print(f"{size.bytes / 1e6:5.2f} MB{cells}{simulated}   {size.costs.slowest(workers)}")


def night(size: Size) -> tuple[int, int]:
    """The fewest commands, each with a cluster of its own, and the fewest workers of each that
    measure a terabyte in a night."""
    commands = 1
    while size.hours(10**6, 1 / commands) > NIGHT:
        commands += 1
    workers = 1
    while size.hours(workers, 1 / commands) > NIGHT:
        workers += 1
    return commands, workers


def print_night(size: Size, error: float, price: float | None) -> None:
    commands, workers = night(size)
    hours = size.hours(workers, 1 / commands)
    cores = commands * (workers + 2)
    bytes_each = size.bytes / size.costs.worker
    print(f"\n1 TB in {NIGHT} hours, tasks of {size.bytes / 1e6:.2f} MB, estimated ± {error:.0%}:")
    print(
        f"{commands} commands, each for its share of the files with {workers} workers, a scheduler "
        f"and the command itself: {cores} cores for {hours:.1f} hours"
    )
    print(f"a worker measures {bytes_each / 1e6:.1f} MB/s; a scheduler receives and sends ", end="")
    print(f"{bytes_each * workers / 1e6:.0f} MB/s; ", end="")
    print(f"the results are {size.result / size.bytes * TERABYTE / 1e9:.0f} GB")
    total = cores * hours
    if price is None:
        print(f"{total:.0f} core-hours × the price of a core-hour (--price)")
    else:
        print(f"{total:.0f} core-hours × {price:g} = {total * price:.2f}, ± {error:.0%}")


def main(arguments: Sequence[str] | None = None) -> Ratios:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="payloads of yours")
    parser.add_argument("--price", type=float, help="of one core for one hour, in your currency")
    parser.add_argument("--rounds", type=int, default=3, help="of the measured run")
    options = parser.parse_args(arguments)
    sizes = measure(options.file, options.rounds)
    print_costs(sizes)
    print_clusters(sizes)
    usual = sizes[SIZES.index(CHUNK_BYTES)]
    errors = [
        max(abs(each - 1) for each in usual.off),
        max(abs(usual.simulated(workers) - 1) for workers in (*MODELLED, night(usual)[1])),
        usual.spread,
    ]
    print(
        f"\ntasks of {usual.bytes / 1e6:.2f} MB: simulation against the run ± {errors[0]:.1%}, "
        f"formula against simulation ± {errors[1]:.1%}, rounds against each other ± {errors[2]:.1%}"
    )
    print_night(usual, sum(errors), options.price)
    return [[each for size in sizes for each in size.off]]


if __name__ == "__main__":
    main()
