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

#: Seconds to wait for the scheduler, and for its first worker.
PATIENCE: Final = 20

_LOOK_AGAIN: Final = 5  # seconds after which workers may have come or gone


class Cluster:
    """The workers of a scheduler; they may come, go and die while they measure."""

    def __init__(self, address: str, settings: Settings) -> None:
        """Connects.

        Raises:
            WorkersError: ``distributed`` is missing, or no scheduler with a worker answers.
        """
        self._address = address
        self._settings = settings
        self._window = 0
        self._looked = -math.inf
        self._client = _client(address)
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self.close()
            raise WorkersError(f"the scheduler at {address} has no workers") from None

    @property
    def window(self) -> int:
        if time.monotonic() > self._looked + _LOOK_AGAIN:
            with _said(self._address):
                self._window = 1 + 2 * max(1, sum(self._client.nthreads().values()))
            self._looked = time.monotonic()
        return self._window

    def submit(self, records: Sequence[Record]) -> Ticket:
        future = self._client.submit(
            measured_part, records, self._settings, pure=False, retries=ATTEMPTS - 1
        )
        return _Ticket(future, self._address)

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
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkersError(f"no Dask scheduler answers at {address}: {error}") from error


class _Ticket:
    def __init__(self, future: Any, address: str) -> None:
        self._future = future
        self._address = address

    def result(self, timeout: float | None = None) -> bytes:
        with _said(self._address):
            part: bytes = self._future.result(timeout=timeout)
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
