"""A file that grows is read as it would be read at its end."""

import json

import pytest

from tests.traffic.envelopes import traces
from toon.traffic.corpus import Growing
from toon.traffic.payload import Payload

ROW = [{"id": 1, "ok": True}, {"id": 2, "ok": False}]


def read_texts(*batches: list[object]) -> list[str]:
    reader = Growing("log.jsonl")
    data = ["".join(f"{json.dumps(record)}\n" for record in batch).encode() for batch in batches]
    records = [record for lines in data for record in reader.read(lines)]
    return [record.text for record in records if isinstance(record, Payload)]


def generation(text: str) -> dict[str, object]:
    messages = [{"role": "tool", "name": "get", "content": text}]
    return {**traces.observation("GENERATION"), "input": messages}


@pytest.mark.parametrize("text", [json.dumps(ROW), json.dumps(ROW, separators=(",", ":"))])
def test_a_result_that_a_tool_gave_before_a_model_got_it_counts_once(text: str) -> None:
    tool = traces.observation("TOOL", output=ROW)

    assert len(read_texts([tool, generation(text)])) == 1
    assert len(read_texts([tool], [generation(text)])) == 1
    assert len(read_texts([tool], [generation(text), generation(text)])) == 2  # it was sent twice
    assert len(read_texts([tool], [generation(text)], [tool])) == 1
    assert len(read_texts([tool], [tool], [generation(text)])) == 2  # as the tool gave it
