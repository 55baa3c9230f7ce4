"""``python -m toon``, and the command ``toon``.

Looking for circles of objects takes a sixth of the time of a short command, and there are none in
what is loaded. So Python does not look while it loads, nor once more at the end.
"""

import gc

gc.disable()

import atexit
import sys

from toon.cli import main


def run() -> int:
    """Run the command in ``sys.argv``; return its exit status."""
    gc.enable()
    atexit.register(gc.freeze)
    return main()


if __name__ == "__main__":
    sys.exit(run())
