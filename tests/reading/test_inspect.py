"""Inspect itself runs a folder with a scripted model, and its logs are read back."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.reading.asked import ask_command
from toon.cli import main
from toon.reading.logs import read_logs
from toon.reading.results import summarise
from toon.reading.statistics import Share

pytestmark = [
    pytest.mark.rest,
    pytest.mark.skipif(not find_spec("inspect_ai"), reason="inspect-ai is not installed"),
]

#: A model that reads TOON, fails at one question, and knows half of the others in other formats.
MODEL = """
import json
from pathlib import Path
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

rows = [json.loads(line) for line in Path("questions.jsonl").read_text().splitlines()]

def answer(input, tools, tool_choice, config):
    text = input[-1].text
    (row,) = (row for row in rows if text.endswith(row["prompt"]))
    number = int(row["id"].partition("-")[2])
    if number == 20:
        raise RuntimeError("rate limit")
    is_known = "people[12]" in text or number <= 10
    output = ModelOutput.from_content("m", f"**{row['answer']}**." if is_known else "no idea")
    output.usage = ModelUsage(input_tokens=100, output_tokens=5, total_tokens=105)
    return output

eval("questions.py", model=get_model("mockllm/model", custom_outputs=answer), display="none",
     fail_on_error=False, log_dir="logs")
"""


def test_inspect_runs_the_folder_and_its_logs_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "asked"
    assert main(ask_command(tmp_path, "inspect", "--questions", "20")) == 0
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(
        [sys.executable, "-c", MODEL], cwd=folder, env=environment, check=True, timeout=300
    )

    (reading,) = read_logs(
        (file.name, file.read_bytes()) for file in sorted((folder / "logs").glob("*.eval"))
    )
    base, pretty, toon = summarise(reading.records).formats
    assert (reading.model, reading.notes) == ("mockllm/model", [])
    assert (base.share, pretty.share, toon.share) == (Share(10, 19), Share(10, 19), Share(19, 19))
    assert (toon.unanswered, toon.input_tokens, toon.output_tokens) == (1, 1900, 95)
    assert toon.paired == (10, 9, 0, 0)
    assert {one.error for one in reading.records if one.reply is None} == {
        "RuntimeError('rate limit')"
    }
