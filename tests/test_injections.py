"""Nothing that a text says is obeyed where reports and commands show it."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests import hostile
from toon.cli import main


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(name for name, _ in attrs)}

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Hostile groups, keys and damaged records, in a file with a hostile name."""
    monkeypatch.chdir(tmp_path)
    rows = [{"tool": text, "payload": [{text: n} for n in range(4)]} for text in hostile.ALL]
    bad = [f'{{"tool": {json.dumps(text)}, "payload": {text}' for text in hostile.ALL]
    path = Path("\x1b[31m=1+1 <img src=x> **b**.jsonl")
    path.write_text("\n".join([*map(json.dumps, rows), *bad]), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["html", "md", "csv"])
def test_a_report_shows_hostile_texts_and_obeys_none(
    corpus: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report = f"report.{kind}"
    main(["measure", str(corpus), "-o", "run.parquet", "--workers", "1", "--report", report])
    text = Path(report).read_text(encoding="utf-8")
    said = capsys.readouterr()

    assert hostile.CONTROL.search(said.out + said.err) is None
    assert "not measured: " in said.err
    assert hostile.CONTROL.search(text) is None
    if kind == "html":
        page = Tags()
        page.feed(text)
        assert not page.found & {"img", "script", "a", "b", "src", "href", "onerror", "onload"}
        shown = {text for text in hostile.MARKUP.values() if "https:" not in text}  # a URL is cut
        assert shown <= set(page.words)
    elif kind == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert "'=HYPERLINK(1)" in cells
        assert [cell for cell in cells if re.match(r"[=@+\t\r]|-[^0-9.]", cell)] == []
    else:
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        assert [row for row in rows if any(re.search(rf"(?<!\\){re.escape(mark)}", row)
                for mark in ("![", "<img", "<svg", "**b", "`code", "</scr"))] == []  # fmt: skip


@pytest.mark.parametrize("command", ["encode", "decode", "stats", "measure"])
def test_no_error_of_a_command_is_obeyed_by_a_terminal(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for text in hostile.CONTROLS:
        name = f"{text.replace('/', '')}.json"
        Path(name).write_text(f'{{"{text}": [}}, {text}', encoding="utf-8")
        more = ["-o", "run.parquet", "--workers", "1"] if command == "measure" else []
        main([command, name, *more])
        main([command, f"no {name}", *more])
    said = capsys.readouterr()

    assert hostile.CONTROL.search(said.err) is None
    assert len(said.err.splitlines()) >= len(hostile.CONTROLS)
