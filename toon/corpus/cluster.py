"""A Dask cluster that measures. Needs ``distributed``, and ``toon`` on the cluster's machines.

The scheduler and the workers must be able to import ``toon``, with the libraries of its
``requirements.txt`` in the versions of whoever starts the run: in a checkout of the same commit,
``PYTHONPATH=. dask scheduler`` and ``PYTHONPATH=. dask worker ADDRESS``. Other versions are
refused, because their figures may be others.
"""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Final

from toon.corpus.measuring import Record, Settings
from toon.corpus.table import measured_part
from toon.corpus.workers import ATTEMPTS, Ticket, WorkersError

#: Seconds to wait for the scheduler, and for a worker where there is none.
PATIENCE: Final = 20

#: Seconds after which workers may have come or gone.
LOOK_AGAIN: Final = 5


class Cluster:
    """The workers of a scheduler; they may come, go and die while they measure."""

    def __init__(self, address: str, settings: Settings) -> None:
        """Connects.

        Raises:
            WorkersError: ``distributed`` is missing, or no scheduler with a worker answers.
        """
        self.address = address
        self._settings = settings
        self._threads = 1
        self._looked = self._manned = time.monotonic()
        self._client = _client(address)
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
            self._looked = -math.inf
        except TimeoutError:
            self.close()
            raise WorkersError(f"the scheduler at {address} has no workers") from None

    @property
    def window(self) -> int:
        self.look()
        return 1 + 2 * self._threads

    def look(self) -> None:
        """Counts the workers' threads now and then.

        Raises:
            WorkersError: There has been none for too long, or the scheduler is gone.
        """
        now = time.monotonic()
        if self._threads and now < self._looked + LOOK_AGAIN:
            return
        with _said(self.address):
            self._threads = sum(self._client.nthreads().values())
        self._looked = now
        if self._threads:
            self._manned = now
        elif now > self._manned + PATIENCE:
            raise WorkersError(f"the scheduler at {self.address} has no workers any more")

    def submit(self, records: Sequence[Record]) -> Ticket:
        future = self._client.submit(
            measured_part, records, self._settings, pure=False, retries=ATTEMPTS - 1
        )
        return _Ticket(future, self)

    def close(self) -> None:
        self._client.close()


def _client(address: str) -> Any:
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise WorkersError(
            f"--scheduler needs Dask ({error}). Install it: pip install distributed"
        ) from error
    try:
        # A client that was given no address would wait for it again when it is let go of.
        distributed.comm.get_address_host_port(address)
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:  # TypeErrors too, of tls without certificates
        raise WorkersError(f"no Dask scheduler answers at {address}: {error}") from error


class _Ticket:
    def __init__(self, future: Any, cluster: Cluster) -> None:
        self._future = future
        self._cluster = cluster

    def result(self, timeout: float | None = None) -> bytes:
        try:
            with _said(self._cluster.address):
                part: bytes = self._future.result(timeout=timeout)
        except TimeoutError:
            self._cluster.look()
            raise
        return part


@contextmanager
def _said(address: str) -> Iterator[None]:
    """Makes a person's words of what Dask raises."""
    try:
        yield
    except (TimeoutError, RuntimeError):  # RuntimeErrors of ours say what is the matter
        raise
    except (OSError, CancelledError) as error:
        raise WorkersError(f"the scheduler at {address} is gone ({error})") from error
    except Exception as error:
        raise WorkersError(f"the cluster could not measure: {error!r}") from error
