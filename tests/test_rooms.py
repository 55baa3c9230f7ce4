"""The order of the rooms of ``toon/``: data flows one way, and so do the imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import ROOT

#: The rooms of the browser's code, in the same way.
BROWSER = ROOT / "pages" / "browser" / "src"
BROWSER_ROOMS = {"shared": "", **dict.fromkeys(("look", "compact", "keeper", "editor"), "shared")}

#: Each room with the rooms that it may import. A room stands below those it imports, so the
#: order of the table is the order of the steps. Every room may import the ground as well.
GROUND = {
    "secrets": "", "errors": "secrets", "text": "errors", "wording": "", "colours": "",
    "files": "errors", "limits": "", "logs": "", "installed": "",
}  # fmt: skip
ROOMS = {
    "bounded": "",
    "tokenizers": "",
    "codec": "",
    "values": "codec",
    "layout": "tokenizers codec",
    "dialects": "codec values layout",
    "compact": "codec values",
    "formats": "codec values layout dialects compact",
    "records": "tokenizers values compact formats",
    "evidence": "tokenizers values layout compact formats records",
    "costs": "tokenizers codec values layout formats",
    "reading": "tokenizers codec values formats costs",
    "services": "tokenizers formats costs",
    "drawing": "values layout costs",
    "notebook": "tokenizers codec values costs services drawing",
    "pandas": "codec notebook",
    "playground": "bounded tokenizers codec values layout formats costs",
    "context": "tokenizers codec values formats costs",
    "advisor": "tokenizers codec values layout formats costs",
    "traffic": "values formats costs",
    "measuring": "bounded tokenizers codec values layout formats costs traffic",
    "agents": "costs traffic measuring",
    "tap": "bounded values formats costs traffic measuring",
    "analysis": "tokenizers values layout formats costs traffic measuring",
    "reports": "tokenizers values layout formats costs drawing traffic measuring analysis",
    "server": "bounded playground",
    "http": "bounded tokenizers codec compact formats records costs drawing"
    " playground advisor server",
    "mcp": "tokenizers values formats costs playground traffic measuring",
    "cli": "tokenizers codec values formats costs reading services playground traffic tap measuring"
    " agents reports mcp",
}
ALLOWED = {room: set(below.split()) for room, below in GROUND.items()}
ALLOWED |= {room: {*GROUND, *below.split()} for room, below in ROOMS.items()}
ALLOWED |= {"__init__": {"errors", "installed", "codec", "notebook"}, "__main__": {"cli"}}


def module_name(path: Path) -> str:
    """``toon/codec/text.py`` is ``toon.codec.text``; a package is named with its ``__init__``."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def read_modules(package: str) -> dict[str, ast.Module]:
    paths = sorted((ROOT / package).rglob("*.py"))
    return {module_name(path): ast.parse(path.read_bytes()) for path in paths}


def imported_names(module: str, tree: ast.Module) -> Iterator[str]:
    """The dotted names that ``module`` imports anywhere, in functions and for types too."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=base, names=names, level=level):
                above = module.split(".")[:-level] if level else []
                prefix = ".".join([*above, *([base] if base else [])])
                yield from (f"{prefix}.{alias.name}" for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module")
                | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name


@cache
def arrows(package: str) -> list[tuple[str, str]]:
    """Every import of one module of ``package`` by another, as pairs of module names."""
    modules = read_modules(package)

    def owner(name: str) -> str:
        """The module that an imported name is, or is defined in."""
        if name in modules:
            return name
        if f"{name}.__init__" in modules:
            return f"{name}.__init__"
        return owner(name.rpartition(".")[0])

    return sorted(
        {
            (module, owner(name))
            for module, tree in modules.items()
            for name in imported_names(module, tree)
            if name.partition(".")[0] == package and owner(name) != module
        }
    )


def room(module: str) -> str:
    return module.split(".")[1]


def sibling_arrows(package: str) -> dict[str, dict[str, set[str]]]:
    """For each folder: which of its files and folders import which others of it."""
    folders: dict[str, dict[str, set[str]]] = {}
    for importer, imported in arrows(package):
        left, right = importer.split("."), imported.split(".")
        depth = next(
            at for at, (one, other) in enumerate(zip(left, right, strict=False)) if one != other
        )
        folder = folders.setdefault(".".join(left[:depth]), {})
        folder.setdefault(left[depth], set()).add(right[depth])
    return folders


def find_circle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle[::-1]
    return []


@pytest.mark.parametrize(
    "code",
    [
        "import toon.cli", "from toon import cli", "from toon.cli import main",
        "from ..cli import main", "if TYPE_CHECKING:\n    from toon.cli import main",
        "def main():\n    from toon.cli import main", "importlib.import_module('toon.cli')",
    ],
)  # fmt: skip
def test_every_form_of_import_is_seen(code: str) -> None:
    (name,) = imported_names("toon.codec.text", ast.parse(code))

    assert name.startswith("toon.cli")


def test_a_room_stands_below_those_it_may_import() -> None:
    order = list(ALLOWED)
    ahead = {name: allowed - set(order[: order.index(name)]) for name, allowed in ALLOWED.items()}

    assert {name: rooms for name, rooms in ahead.items() if rooms} == {}


@pytest.mark.rest
def test_every_import_is_in_the_table() -> None:
    found = arrows("toon")
    forbidden = [
        f"{importer} imports {imported}"
        for importer, imported in found
        if room(importer) != room(imported) and room(imported) not in ALLOWED[room(importer)]
    ]

    assert len(found) > 300
    assert forbidden == []


@pytest.mark.parametrize("package", ["toon", "pages"])
def test_no_folder_holds_a_circle(package: str) -> None:
    """Neither its files nor its folders import one another in a circle."""
    circles = {folder: find_circle(graph) for folder, graph in sibling_arrows(package).items()}

    assert {folder: circle for folder, circle in circles.items() if circle} == {}


@pytest.mark.rest
def test_the_library_imports_no_page_and_no_streamlit() -> None:
    imported = {
        (module, name.partition(".")[0])
        for module, tree in read_modules("toon").items()
        for name in imported_names(module, tree)
    }

    assert {(module, name) for module, name in imported if name in ("streamlit", "pages")} == set()


def test_nothing_else_stands_at_the_top() -> None:
    files = {path.name for path in (ROOT / "toon").iterdir() if path.is_file()}
    folders = {path.parent.name for path in (ROOT / "toon").glob("*/__init__.py")}

    code = {f"{name}.py" for name in ("__init__", "__main__", *GROUND)}
    assert files == code | {"py.typed", "README.md"}
    assert folders == set(ROOMS)


@cache
def modules_imported() -> dict[str, set[str]]:
    """The browser's files, each with the files of ours that it imports, by their paths."""
    return {
        str(path.relative_to(BROWSER)): {
            str((path.parent / name).resolve().relative_to(BROWSER))
            for name in re.findall(r'from "(\.{1,2}/[^"]+)"', path.read_text("utf-8"))
        }
        for path in sorted(BROWSER.rglob("*.js"))
    }


def test_rooms_of_the_browser_import_those_in_the_table_and_no_file_is_in_a_circle() -> None:
    found = modules_imported()
    rooms = {path.split("/")[0] for path in found}
    forbidden = [
        f"{importer} imports {path}"
        for importer, paths in found.items()
        for path in paths
        if path not in found
        or path.split("/")[0] not in (here := importer.split("/")[0], *BROWSER_ROOMS[here].split())
    ]

    assert len(found) > 25
    assert rooms == set(BROWSER_ROOMS)
    assert forbidden == []
    assert find_circle(found) == []
