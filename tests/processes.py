"""Processes that tests start: each is ended, whatever happens to the test."""

import subprocess
from typing import Any


class Process(subprocess.Popen[Any]):
    """A process that a ``with`` waits for, and kills where the test or the waiting is cut short."""

    def __exit__(self, *error: Any) -> None:
        if error[0]:
            self.kill()
        try:
            super().__exit__(*error)
        except BaseException:
            self.kill()
            self.wait()
            raise
