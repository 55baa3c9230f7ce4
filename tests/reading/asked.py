"""Logs of frameworks that asked questions, written by hand after real ones."""

import io
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa

from toon.reading.tasks import Tasks, make_tasks

PEOPLE = {
    "people": [
        {"id": 100 + number, "name": f"P{number}", "age": 20 + number * 3, "vip": number % 2 == 0}
        for number in range(12)
    ]
}
TASKS = make_tasks([PEOPLE], ["toon"], 20)


def ask_command(folder: Path, framework: str, *options: str) -> list[str]:
    """The command that writes the questions of ``PEOPLE`` into ``folder / "asked"``."""
    payload = folder / "people.json"
    payload.write_text(json.dumps(PEOPLE), encoding="utf-8")
    command = ["questions", str(payload), "--format", framework, "-o", str(folder / "asked")]
    return [*command, *options]


#: Says what a model answers to a question's row in a format; None for no answer.
Script = Callable[[dict[str, str], str], str | None]


def only_toon(row: dict[str, str], format: str) -> str | None:
    """A model that reads TOON alone."""
    return row["answer"] if format == "toon" else "no idea"


def inspect_log(format: str, script: Script = only_toon, tasks: Tasks = TASKS) -> dict[str, Any]:
    """A log of Inspect: with more fields, its JSON; packed by ``packed``, its ``.eval``."""
    about = {"toon": tasks.rows[0]["toon"], "format": format}
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": f"reading_{format}", "model": "mockllm/model", "metadata": about},
        "samples": [_sample(row, script(row, format)) for row in tasks.rows],
    }


def _sample(row: dict[str, str], reply: str | None) -> dict[str, Any]:
    sample = {"id": row["id"], "epoch": 1, "target": row["answer"], "metadata": row}
    if reply is None:
        return {**sample, "error": {"message": "RuntimeError('rate limit')"}, "scores": None}
    right = "C" if reply == row["answer"] else "I"
    usage = {"input_tokens": 90, "output_tokens": 5, "total_tokens": 105}  # 10 from the cache
    return {
        **sample,
        "scores": {"graded": {"value": right, "answer": reply}},
        "output": {"completion": reply, "choices": [{"stop_reason": "stop"}]},
        "model_usage": {"mockllm/model": usage},
    }


def packed(log: dict[str, Any], *, has_ended: bool = True) -> bytes:
    """A log as an ``.eval`` file."""
    head = {key: value for key, value in log.items() if key != "samples"}
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as file:
        file.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log["eval"]}))
        for one in log["samples"]:
            file.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        if has_ended:
            file.writestr("header.json", json.dumps(head))
    return buffer.getvalue()


def packed_again(data: bytes) -> bytes:
    """A zip whose parts are packed by Zstandard, as Inspect packs them, which zipfile cannot."""
    buffer = io.BytesIO()
    texts = {}
    with ZipFile(io.BytesIO(data)) as old, ZipFile(buffer, "w") as new:
        for name in old.namelist():
            texts[name] = old.read(name)
            new.writestr(name, pa.compress(texts[name], codec="zstd", asbytes=True))
    archive = bytearray(buffer.getvalue())
    start = -1
    while (start := archive.find(b"PK\x01\x02", start + 1)) >= 0:
        (size,) = struct.unpack_from("<H", archive, start + 28)
        name = archive[start + 46 : start + 46 + size].decode()
        (local,) = struct.unpack_from("<I", archive, start + 42)
        struct.pack_into("<H", archive, start + 10, 93)
        struct.pack_into("<H", archive, local + 8, 93)
        struct.pack_into("<I", archive, start + 16, zlib.crc32(texts[name]))
    return bytes(archive)


def promptfoo_results(script: Script = only_toon, tasks: Tasks = TASKS) -> dict[str, Any]:
    """The results of promptfoo, as 0.123 writes them, less what is not read."""
    results = [
        _result(row, format, script(row, format)) for row in tasks.rows for format in tasks.heads
    ]
    return {"evalId": "eval-1", "results": {"version": 3, "results": results}, "config": {}}


def _result(row: dict[str, str], format: str, reply: str | None) -> dict[str, Any]:
    right = reply == row["answer"]
    usage = {"total": 105, "prompt": 100, "completion": 5}
    return {
        "prompt": {"label": format, "raw": "…"},
        "provider": {"id": "echo", "label": ""},
        "testCase": {"vars": {}, "metadata": row},
        "success": right,
        "failureReason": 2 if reply is None else 0 if right else 1,
        "error": "API error: 429" if reply is None else None if right else "Python code returned…",
        "response": {} if reply is None else {"output": reply, "tokenUsage": usage},
    }
