"""Measuring on a Dask cluster. Needs ``distributed`` here, and ``toon`` on the cluster's machines.

The scheduler and the workers must be able to import ``toon``, with the libraries of its
``requirements.txt`` in the same versions as here. In a checkout of the same commit, start
``PYTHONPATH=. dask scheduler`` and ``PYTHONPATH=. dask worker ADDRESS``. Workers with other
versions are refused, because their figures could differ.
"""

import importlib
import math
import time
from collections.abc import Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager
from typing import Any, Final

from toon.measuring.measure import Settings
from toon.measuring.table import measure_part
from toon.measuring.workers import ATTEMPTS, Future, WorkersError
from toon.traffic.payload import Record

#: Seconds to wait for the scheduler, and for a first worker.
PATIENCE: Final = 20

#: Seconds between two counts of the cluster's workers.
RECOUNT: Final = 5


class Cluster:
    """An executor that measures on a Dask cluster, whose workers may join, leave and die."""

    def __init__(self, address: str, settings: Settings) -> None:
        """Connect to the Dask scheduler at ``address``.

        Raises:
            WorkersError: ``distributed`` is missing, or no scheduler with a worker answers.
        """
        self.address = address
        self._settings = settings
        self._threads = 1
        self._counted = self._last_seen = time.monotonic()
        self._client = _connect(address)
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
            self._counted = -math.inf
        except TimeoutError:
            self.close()
            raise WorkersError(f"the scheduler at {address} has no workers") from None

    @property
    def window(self) -> int:
        self.count_workers()
        return 1 + 2 * self._threads

    def count_workers(self) -> None:
        """Update the count of threads of the Dask workers, at most every few seconds.

        Raises:
            WorkersError: There have been no workers for too long, or the scheduler is gone.
        """
        now = time.monotonic()
        if self._threads and now < self._counted + RECOUNT:
            return
        with _translate_errors(self.address):
            self._threads = sum(self._client.nthreads().values())
        self._counted = now
        if self._threads:
            self._last_seen = now
        elif now > self._last_seen + PATIENCE:
            raise WorkersError(f"the scheduler at {self.address} has no workers any more")

    def submit(self, records: Sequence[Record]) -> Future:
        executor = self._client.get_executor(pure=False, retries=ATTEMPTS - 1)
        return _Part(executor.submit(measure_part, records, self._settings), self)

    def close(self) -> None:
        self._client.close()


def _connect(address: str) -> Any:
    """Return a ``distributed.Client`` of the scheduler at ``address``, or raise WorkersError."""
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise WorkersError(
            f"--scheduler needs Dask ({error}). Install it: pip install distributed"
        ) from error
    try:
        # Checked first: with a malformed address, closing the client would wait for it again.
        distributed.comm.get_address_host_port(address)
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # TLS without certificates raises TypeError
        raise WorkersError(f"no Dask scheduler answers at {address}: {error}") from error


class _Part:
    """A future of the measured rows of some records, which a Dask worker makes.

    It takes the place of Dask's own future, which cancels the fetch of a result on a timeout; that
    may break the client for all later ones (distributed 2026.8).
    """

    def __init__(self, future: futures.Future[bytes], cluster: Cluster) -> None:
        self._future = future
        self._cluster = cluster

    def result(self, timeout: float | None = None) -> bytes:
        if not futures.wait([self._future], timeout).done:
            self._cluster.count_workers()
            raise TimeoutError
        with _translate_errors(self._cluster.address):
            return self._future.result()


@contextmanager
def _translate_errors(address: str) -> Iterator[None]:
    try:
        yield
    except RuntimeError:  # a message of our own
        raise
    except (OSError, futures.CancelledError) as error:
        raise WorkersError(f"the scheduler at {address} is gone ({error})") from error
    except Exception as error:
        raise WorkersError(f"the cluster could not measure: {error!r}") from error
