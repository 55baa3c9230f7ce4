"""Logs keep the type and the place of an error, and quote nobody."""

import errno
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from toon.logs import QuietRecord, describe

TEXT = "correct-horse-battery-staple"


def test_an_error_is_described_without_its_message() -> None:
    try:
        raise ValueError(TEXT)
    except ValueError as error:
        described = describe(error)

    assert re.fullmatch(r"ValueError at .*test_logs\.py:[0-9]+", described)
    assert describe(ValueError(TEXT)) == "ValueError at nowhere"


def test_a_line_about_an_error_does_not_hold_its_message(caplog: pytest.LogCaptureFixture) -> None:
    logging.setLogRecordFactory(QuietRecord)
    try:
        raise ValueError(TEXT)
    except ValueError as error:
        logging.error(f"failed: {error}")
        logging.error("failed: %s, %d", str(error), 7)
        logging.exception(f"failed: {error}")
    finally:
        logging.setLogRecordFactory(logging.LogRecord)

    assert TEXT not in caplog.text
    assert caplog.messages[1].endswith(", 7")


def test_what_the_system_says_of_an_error_is_kept() -> None:
    assert describe(OSError(errno.ENOSPC, TEXT)) == "OSError (No space left on device) at nowhere"


@pytest.mark.rest
def test_whatever_fails_in_the_server_leaves_its_text_in_no_log_and_no_file(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "ignore", "-m", "tests.failing", TEXT],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    written = run.stdout + run.stderr

    assert run.returncode == 0, written
    assert TEXT not in written
    for place in (
        "Uncaught app execution", "in fails\n    raise ValueError(text)", "in fail_in_route",
        "Exception in ASGI application", "ValueError at ", "Task exception was never retrieved",
        "Future exception was never retrieved", "KeyError at ", "a thread ended",
        "an error was ignored", "ValueError at nowhere and 7", "from the browser: (str), 8",
    ):  # fmt: skip
        assert place in written, place
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
