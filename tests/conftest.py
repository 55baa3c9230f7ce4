"""Hypothesis profiles, and where the shared test data lies when it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile("quick", max_examples=60, deadline=None)
settings.register_profile("ci", max_examples=250, deadline=None)
settings.register_profile(
    "large", max_examples=60_000, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def shared_files(pattern: str) -> list[Path]:
    """The files of the shared test data that match, none where it is absent."""
    return sorted(SHARED.glob(pattern))


needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared test data is not beside this checkout"
)
