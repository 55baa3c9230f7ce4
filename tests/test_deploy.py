"""What ``.github/deploy`` says to nginx and to systemd; browser/test_replicas.py runs it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from toon.limits import BODIES_BYTES, DOCUMENT_BYTES, EDITOR_BYTES

DEPLOY = ROOT / ".github" / "deploy"
UNIT = (DEPLOY / "token-lab@.service").read_text("utf-8")
README = (DEPLOY / "README.md").read_text("utf-8")
NGINX = (DEPLOY / "nginx.conf").read_text("utf-8")
#: The most that systemd may find exposed, in tenths; a service without any protection has 96.
EXPOSED = 15


def number(pattern: str, text: str) -> int:
    """The only number that the pattern finds."""
    (found,) = re.findall(pattern, text)
    return int(found.replace("_", ""))


def test_nginx_takes_what_the_app_takes_and_waits_as_long() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    editor = ROOT / "pages" / "browser" / "src" / "editor"
    asked = (editor / "requests.js").read_text("utf-8")

    most = number(r"client_max_body_size (\d+)m;", NGINX)
    patience = number(r"proxy_read_timeout (\d+)s;", NGINX)

    assert most > config["server"]["maxUploadSize"]
    assert most * 2**20 > EDITOR_BYTES
    assert patience * 1_000 > number(r"LARGE_PATIENCE = ([\d_]+);", asked)


def test_a_replica_has_memory_for_all_that_it_may_hold() -> None:
    workers = number(r"TOON_WORKERS=(\d+)", UNIT) * number(r"TOON_WORK_BYTES=(\d+)", UNIT)
    server = 1_000_000_000 + DOCUMENT_BYTES + BODIES_BYTES

    assert workers + server <= number(r"MemoryMax=(\d+)G", UNIT) * 2**30


def test_the_readme_lists_every_limit_with_its_default() -> None:
    limits = (ROOT / "toon" / "limits.py").read_text("utf-8")
    defaults = {
        f"TOON_{name}": f"{int(value):,}"
        for name, value in re.findall(r'_limit\("(\w+)", ([\d_]+)\)', limits)
    }
    rows = re.findall(r"^\| (`TOON_.*`) \| .* \| ([\d,and ]+) \|$", README, re.MULTILINE)
    listed = {
        name: value
        for names, values in rows
        for name, value in zip(re.findall(r"TOON_\w+", names), values.split(" and "), strict=True)
    }

    assert listed == defaults


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze")
def test_systemd_takes_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "token-lab@8501.service"
    unit.write_text(UNIT.replace("/opt/token-lab/.venv/bin/python", sys.executable), "utf-8")

    for arguments in (["verify"], ["security", "--offline=true", f"--threshold={EXPOSED}"]):
        run = subprocess.run(
            ["systemd-analyze", *arguments, str(unit)], capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout
        assert unit.name not in run.stderr, run.stderr
