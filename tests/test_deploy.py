"""What ``.github/deploy`` says to nginx and to systemd; browser/test_replicas.py runs it."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx2
import pytest
import yaml

from tests.browser.conftest import served
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
    (match,) = re.findall(pattern, text)
    return int(match.replace("_", ""))


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


@pytest.mark.rest
def test_secrets_of_community_cloud_are_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Community Cloud has them in a file, and no other way to set a variable."""
    (tmp_path / ".streamlit").mkdir()
    secrets = 'TOON_HOSTS = "me.streamlit.app"\nTOON_TOKEN = "off"\n'
    (tmp_path / ".streamlit" / "secrets.toml").write_text(secrets, "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    with served(ROOT / "app.py") as server, httpx2.Client(timeout=60) as client:
        headers = {"Host": "me.streamlit.app", "X-Forwarded-For": "192.0.2.7"}
        page = client.get(server.url, headers=headers)
        other = client.get(server.url, headers={"Host": "you.streamlit.app"})

    assert (page.status_code, other.status_code) == (200, 403)


def test_a_container_starts_as_compose_and_the_guide_say() -> None:
    file = (DEPLOY / "Dockerfile").read_text("utf-8")
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    ports = {compose[name]["environment"]["STREAMLIT_SERVER_PORT"] for name in ("first", "second")}
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8")

    assert ports == set(re.findall(r"^    server 127\.0\.0\.1:(\d+);", NGINX, re.MULTILINE))
    for name in ("first", "second"):
        assert (ROOT / compose[name]["build"]["dockerfile"]).samefile(DEPLOY / "Dockerfile")
        assert compose[name]["read_only"]
        assert compose[name]["network_mode"] == "service:nginx"
    for copied in re.findall(r"^!(\S+)$", ignored, re.MULTILINE):
        assert (ROOT / copied).exists(), copied
    assert "\nUSER 10001:10001\n" in file
    program = json.loads(file.split("HEALTHCHECK")[1].split("CMD \\\n")[1].split("\n")[0])[2]
    compile(program, "HEALTHCHECK", "exec")
    assert {"STREAMLIT_SERVER_PORT", "STREAMLIT_SERVER_BASE_URL_PATH"} <= set(
        re.findall("STREAMLIT_[A-Z_]+", program)
    )
