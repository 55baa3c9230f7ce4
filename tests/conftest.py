"""Hypothesis profiles, and the shared test data beside this checkout, which may be absent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile("quick", max_examples=20, deadline=None)
#: The same examples in every run: what fails is the change, not the day's luck.
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True)
#: Other examples in every run, to look for what nobody thought of.
settings.register_profile("search", max_examples=250, deadline=None)
settings.register_profile(
    "large", max_examples=60_000, deadline=None, suppress_health_check=list(HealthCheck)
)


def pytest_configure(config: pytest.Config) -> None:
    """Few examples where slow tests are left out; ``HYPOTHESIS_PROFILE`` names another profile."""
    profile = "quick" if "not slow" in config.option.markexpr else "ci"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", profile))


needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared test data is not beside this checkout"
)


def shared_files(pattern: str) -> list[Any]:
    """The files of the shared test data that match, to parametrise a test with.

    Without that data there is one parameter, which is skipped. No match is an error.
    """
    if not SHARED.is_dir():
        return [pytest.param(Path(), marks=needs_shared, id="absent")]
    files = sorted(SHARED.glob(pattern))
    assert files, f"no {pattern} in {SHARED}"
    return files
