"""Folders of questions for frameworks."""

import json
import re
import runpy
import socket
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.reading.asked import PEOPLE, TASKS, ask_command, inspect_log, packed
from toon.cli import main
from toon.reading import grading
from toon.reading.logs import read_logs
from toon.reading.tasks import FRAMEWORKS, make_tasks


def test_a_prompt_is_the_data_then_the_question_then_how_to_answer() -> None:
    row, text = TASKS.rows[0], json.dumps(PEOPLE, separators=(",", ":"))

    assert TASKS.heads["json-compact"][0] + row["prompt"] == (
        f"Here is the data.\n\n```\n{text}\n```\n\n"
        f"Answer this question from the data alone: {row['question']}\n\n"
        "Write a whole number in digits, without separators, and nothing else: "
        "no sentence, no reason, no unit."
    )


def test_an_explained_prompt_begins_with_the_explanation_of_its_format() -> None:
    explained = make_tasks([PEOPLE], ["toon"], 20, is_explained=True)

    assert explained.heads["toon"][0].startswith("The data is TOON")
    assert explained.heads["toon"][0].endswith(TASKS.heads["toon"][0])


def test_braces_and_fences_in_the_data_stay_data() -> None:
    people = [{**one, "name": f"{one['name']} {{question}} ````"} for one in PEOPLE["people"]]
    text = json.dumps(people, separators=(",", ":"))

    assert f"`````\n{text}\n`````" in make_tasks([people], [], 20).heads["json-compact"][0]


def test_a_format_that_cannot_carry_a_payload_is_named_with_the_reason() -> None:
    tasks = make_tasks([PEOPLE, {**PEOPLE, "more": {"a": [1, [2]]}}], ("csv", "toon"), 20)

    assert list(tasks.heads) == ["json-compact", "toon"]
    assert list(tasks.refused) == ["csv"]
    assert tasks.refused["csv"]


def test_answers_are_known_by_payload_and_questions_and_not_by_formats() -> None:
    def digest(**more: Any) -> str:
        digest: str = make_tasks(**{"values": [PEOPLE], "count": 20, **more}).rows[0]["toon"]
        return digest

    assert digest() == digest(formats=["yaml"])
    others = [digest(seed=2), digest(count=21), digest(values=[PEOPLE, PEOPLE])]
    assert len({digest(), *others}) == 4


def test_the_folder_of_inspect_has_a_task_a_format_and_grades_as_here() -> None:
    files = FRAMEWORKS["inspect"](TASKS)

    tasks = re.findall(r"@task\ndef (\w+)", files["questions.py"])
    assert tasks == ["reading_json_compact", "reading_toon"]
    compile(files["questions.py"], "questions.py", "exec")
    assert files["toon_grading.py"] == Path(grading.__file__).read_text(encoding="utf-8")
    rows = [json.loads(line) for line in files["questions.jsonl"].splitlines()]
    assert rows == TASKS.rows
    heads = [json.loads(line)["text"] for line in files["data.jsonl"].splitlines()]
    assert heads == [*TASKS.heads["json-compact"], *TASKS.heads["toon"]]


def test_the_grading_of_a_folder_needs_nothing_of_this_project(tmp_path: Path) -> None:
    file = tmp_path / "toon_grading.py"
    file.write_text(FRAMEWORKS["promptfoo"](TASKS)[file.name], encoding="utf-8")
    assert "import toon" not in file.read_text()
    assert "from toon" not in file.read_text()
    grade = runpy.run_path(str(file))["grade_promptfoo"]

    config = {"config": {"answer": "5", "type": "integer"}}
    assert [grade(text, config) for text in ("**5**", "6")] == [True, False]


def test_the_config_of_promptfoo_has_a_prompt_a_format_and_a_test_a_question() -> None:
    config = yaml.safe_load(FRAMEWORKS["promptfoo"](TASKS)["promptfooconfig.yaml"])

    assert [one["label"] for one in config["prompts"]] == ["json-compact", "toon"]
    assert config["prompts"][1]["raw"] == TASKS.heads["toon"][0] + "{{prompt}}"
    row, test = TASKS.rows[0], config["tests"][0]
    assert len(config["tests"]) == 20
    assert test["vars"] == {"payload": "0", "prompt": row["prompt"]}
    by = {"type": "python", "value": "file://toon_grading.py:grade_promptfoo"}
    assert test["assert"] == [{**by, "config": {"answer": row["answer"], "type": row["type"]}}]


def test_tags_of_templates_in_the_data_stay_data() -> None:
    """As Nunjucks reads them; promptfoo 0.123 gave the data back as they are."""
    people = [{**one, "name": f"{one['name']} {{{{env.HOME}}}} {{% raw %}}"} for one in
              PEOPLE["people"]]  # fmt: skip
    config = yaml.safe_load(
        FRAMEWORKS["promptfoo"](make_tasks([people], ["toon"], 20))["promptfooconfig.yaml"]
    )
    raw = config["prompts"][1]["raw"].removesuffix("{{prompt}}")

    assert "P0 {{ '{' }}{env.HOME}} {{ '{' }}% raw %}" in raw
    assert not re.search(r"\{[{%#]", raw.replace("{{ '{' }}", ""))


def test_the_command_writes_a_folder_and_never_into_one_that_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, command = tmp_path / "asked", ask_command(tmp_path, "promptfoo")

    assert main(command) == 0
    output = capsys.readouterr()
    assert output.out == f"cd {folder} && promptfoo eval -r PROVIDER:NAME -o results.json\n"
    assert output.err == "60 questions in 3 formats: json-compact, json-pretty, toon\n"
    assert {file.name for file in folder.iterdir()} == {"promptfooconfig.yaml", "toon_grading.py"}
    assert main(command) == 1
    assert capsys.readouterr().err == f"toon: {folder}: File exists\n"


def test_formats_are_named_with_commas_between(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(ask_command(tmp_path, "promptfoo", "--formats", "toon,yaml")) == 0
    assert capsys.readouterr().err == "60 questions in 3 formats: json-compact, toon, yaml\n"


def test_the_command_that_is_gone_names_what_does_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "orders.json", "--model", "x"]) == 2
    assert capsys.readouterr().err == (
        "ask was removed: toon questions writes what Inspect or promptfoo asks a model\n"
    )


def test_writing_questions_and_reading_logs_opens_no_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    assert main(ask_command(tmp_path, "inspect")) == 0
    assert len(read_logs([("a.eval", packed(inspect_log("toon")))])) == 1
