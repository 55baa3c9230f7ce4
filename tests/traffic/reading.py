"""Helpers for the tests of the readers: reading bytes, short results, files to read."""

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from toon.traffic import read, sniff
from toon.traffic.payload import BadRecord, Payload


def read_all(data: str | bytes, name: str = "log.x", **options: Any) -> list[Payload | BadRecord]:
    """All that ``read`` finds in ``data``."""
    return list(read(io.BytesIO(as_bytes(data)), name, **options))


def short(data: str | bytes, name: str = "log.x", **options: Any) -> list[tuple[Any, ...]]:
    """(record, group, text) of each payload and (record, reason) of each bad record."""
    return [
        (item.record, item.group, item.text)
        if isinstance(item, Payload)
        else (item.record, item.reason)
        for item in read_all(data, name, **options)
    ]


def kind(data: str | bytes) -> str:
    return str(sniff(io.BytesIO(as_bytes(data)), "log.x"))


def as_bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data


def lines(*values: Any) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def entry(url: str = "https://api.example.com/users/7", **content: Any) -> dict[str, Any]:
    """An entry of a HAR; every value that must not be kept contains SECRET."""
    secret = [{"name": "Authorization", "value": "Bearer SECRET"}]
    return {
        "startedDateTime": "2026-03-02T10:00:00.250Z",
        "request": {
            "method": "GET", "url": f"{url}?token=SECRET&q=SECRET#SECRET", "httpVersion": "HTTP/2",
            "headers": [*secret, {"name": "Cookie", "value": "sid=SECRET"}],
            "cookies": [{"name": "sid", "value": "SECRET"}],
            "queryString": [{"name": "token", "value": "SECRET"}],
            "postData": {"mimeType": "application/json", "text": '{"password": "SECRET"}'},
        },
        "response": {
            "status": 200, "headers": [{"name": "Set-Cookie", "value": "sid=SECRET"}],
            "cookies": [{"name": "sid", "value": "SECRET"}],
            "redirectURL": "https://example.com/?code=SECRET",
            "content": {"mimeType": "application/json; charset=utf-8", **content},
        },
    }  # fmt: skip


def har(*entries: Any, **more: Any) -> dict[str, Any]:
    creator = {"name": "browser", "version": "1"}
    return {"log": {"version": "1.2", "creator": creator, "pages": [], "entries": entries, **more}}


def session(*models: str) -> bytes:
    """A session of Claude Code with a call and its result for each of the models, in an hour."""
    rows = [{"id": n, "status": "paid", "total": 12.5 * n} for n in range(20)]
    table, events = json.dumps(rows, indent=2), []
    for number, model in enumerate(models):
        usage = {"input_tokens": 10, "cache_read_input_tokens": 10_000, "output_tokens": 200}
        call = {"type": "tool_use", "id": f"t{number}", "name": "list_orders", "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": table}
        spoken = {"id": f"m{number}", "model": model, "content": [call], "usage": usage}
        for role, more in (("assistant", spoken), ("user", {"content": [result]})):
            time = f"2026-07-20T09:{29 * number:02}:00Z"
            about = {"type": role, "sessionId": "s", "timestamp": time}
            events.append({**about, "message": {"role": role, "type": "message", **more}})
    return "\n".join(map(json.dumps, events)).encode()
