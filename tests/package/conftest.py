"""The wheel, built of this checkout, and environments that it is installed into."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from importlib.metadata import files
from pathlib import Path

import pytest

from tests.conftest import GUARD, ROOT

#: How pip and the programs run: nothing is fetched, and nothing of this checkout is found.
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(GUARD),
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_ROOT_USER_ACTION": "ignore",
}


class Environment:
    """A virtual environment; its programs run in an empty folder."""

    def __init__(self, home: Path, wheel: Path) -> None:
        venv.create(home, symlinks=True)
        self.bin = home / "bin"
        self.work = home.with_name(f"{home.name}-work")
        self.work.mkdir()
        (self.site,) = (home / "lib").glob("python*/site-packages")
        self.environment = {
            **ENVIRONMENT,
            "PIP_FIND_LINKS": wheel.parent.as_uri(),  # a path may hold a blank
            "PIP_PYTHON": str(self.bin / "python"),
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
        }

    def run(self, *command: str, given: str = "", status: int = 0) -> str:
        """What a command prints, on standard error where its status is not 0."""
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            cwd=self.work,
            env=self.environment,
            executable=shutil.which(command[0], path=self.environment["PATH"]),
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stderr if status else done.stdout

    def pip(self, *arguments: str) -> None:
        self.run(sys.executable, "-m", "pip", *arguments)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def new(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Callable[[], Environment]:
    """Makes an empty environment."""
    return lambda: Environment(tmp_path_factory.mktemp("venv") / "env", wheel)


@pytest.fixture(scope="session")
def core(new: Callable[[], Environment]) -> Environment:
    """The package alone, with the one library that it needs."""
    environment = new()
    for file in files("orjson") or ():
        target = environment.site / file
        target.parent.mkdir(exist_ok=True)
        shutil.copy(str(file.locate()), target)
    environment.pip("install", "token-lab")
    return environment


@pytest.fixture(scope="session")
def full(new: Callable[[], Environment]) -> Environment:
    """Everything that these tests have is there, but not yet the package."""
    environment = new()
    (environment.site / "all.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return environment
