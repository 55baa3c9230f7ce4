"""Logs of frameworks that asked the questions: Inspect's ``.eval`` and JSON, promptfoo's JSON.

A log of Inspect is a zip of JSON, so nothing of Inspect is needed to read one; pyarrow unpacks the
Zstandard that Python has from 3.14 on. The grades are the log's own, given by the rules in the
folder.
"""

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final, NamedTuple, TypeAlias
from zipfile import BadZipFile, ZipFile, ZipInfo

from toon.errors import RunError
from toon.wording import excerpt, plural

#: Zip's number of the compression Zstandard.
_ZSTANDARD: Final = 93
_SAMPLE: Final = re.compile(r"samples/.*\.json")
#: Errors that a log of another shape raises.
_OTHER_SHAPE: Final = (LookupError, TypeError, AttributeError, ValueError, RecursionError)
_UNREADABLE: Final = (
    BadZipFile, EOFError, NotImplementedError, OSError, struct.error, zlib.error,
)  # fmt: skip
_ENDED: Final = {
    "started": "has not ended",
    "cancelled": "was cancelled",
    "error": "ended with an error",
}


class Record(NamedTuple):
    """The answer of a model to one question in one format, from a framework's log.

    ``said`` and ``is_right`` are None where no answer came, and ``error`` says why; tokens are None
    where the log has none.
    """

    question: str
    format: str
    kind: str
    text: str
    answer: str
    said: str | None
    is_right: bool | None
    error: str
    input_tokens: int | None
    output_tokens: int | None


#: The digest of a log's questions, the model that was asked, and one of its answers.
_Found: TypeAlias = tuple[str, str, Record]


class Reading(NamedTuple):
    """The graded answers of one model to one set of questions, in the order of the logs.

    ``model`` is its name in the framework, ``notes`` are sentences on how the logs ended.
    """

    model: str
    records: list[Record]
    notes: list[str]


def read_logs(files: Iterable[tuple[str, bytes]]) -> list[Reading]:
    """Read logs of Inspect or promptfoo, as pairs of name and bytes; return each model's answers.

    If a question was asked twice in a format, the first answer counts.

    Raises:
        RunError: A file is no log of questions, or two logs are about different questions.
    """
    answers: dict[str, dict[tuple[str, str], Record]] = {}
    notes: dict[str, list[str]] = {}
    digest = before = ""
    for name, data in files:
        found, note = _read(name, data)
        for its_digest, model, record in found:
            if digest and its_digest != digest:
                raise RunError(f"{before} and {name} have different questions: read them apart.")
            digest, before = its_digest, name
            mine = answers.setdefault(model, {})
            known = mine.get((record.question, record.format))
            if known is None or known.said is None:
                mine[record.question, record.format] = record
        for model in {model for _, model, _ in found}:
            notes.setdefault(model, []).extend(filter(None, [note]))
    return [Reading(model, list(mine.values()), notes[model]) for model, mine in answers.items()]


def _read(name: str, data: bytes) -> tuple[list[_Found], str]:
    """Return the answers in a log, and a sentence on how the log ended, or "".

    Raises:
        RunError: It is no log of questions.
    """
    try:
        log, samples = _opened(data)
        if "eval" in log:
            found, note = list(_of_inspect(name, log, samples)), _how_it_ended(log, samples)
        else:
            found, note = list(_of_promptfoo(name, log)), ""
    except RunError:
        raise
    except _UNREADABLE as error:
        raise RunError(f"{name} is damaged, or packed in an unknown way: {error}.") from None
    except _OTHER_SHAPE:
        raise RunError(f"{name} is no log of Inspect and no results of promptfoo.") from None
    if not found:
        raise RunError(f"{name} has no answer{': it ' + note if note else ''}.")
    answered = sum(record.said is not None for _, _, record in found)
    return found, note and f"{name} {note}; {plural(answered, 'answer')} came."


def _opened(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Parse a log, JSON or a zip of JSON; return its header and its samples."""
    if data[:2] != b"PK":
        log = json.loads(data)
        return log, log.get("samples") or []
    with ZipFile(BytesIO(data)) as file:
        names = file.namelist()
        # Only a finished log has a header.
        head = "header.json" if "header.json" in names else "_journal/start.json"
        log = json.loads(_unpacked(data, file, file.getinfo(head)))
        parts = [one for one in file.infolist() if _SAMPLE.fullmatch(one.filename)]
        return log, [json.loads(_unpacked(data, file, one)) for one in parts]


def _unpacked(data: bytes, file: ZipFile, part: ZipInfo) -> bytes:
    """Return the unpacked bytes of one file in a zip, also of Zstandard; ``data`` is the zip."""
    if part.compress_type != _ZSTANDARD:
        return file.read(part)
    import pyarrow as pa

    # Before the data stand 30 bytes, a name and an extra field; their lengths end the 30.
    lengths = struct.unpack_from("<HH", data, part.header_offset + 26)
    start = part.header_offset + 30 + sum(lengths)
    packed = pa.BufferReader(data[start : start + part.compress_size])
    text: bytes = pa.CompressedInputStream(packed, "zstd").read()
    if zlib.crc32(text) != part.CRC:
        raise BadZipFile(f"{part.filename} has another checksum")
    return text


def _how_it_ended(log: dict[str, Any], samples: list[dict[str, Any]]) -> str:
    """Return why a log of Inspect is incomplete, or that it asked repeatedly; "" for neither."""
    said = [_ENDED.get(log.get("status", "started"), "")]
    if any(sample["epoch"] > 1 for sample in samples):
        said.append("asked more than once: the first answers count")
    return ", and ".join(filter(None, said))


def _of_inspect(name: str, log: dict[str, Any], samples: list[dict[str, Any]]) -> Iterator[_Found]:
    about, task = log["eval"].get("metadata") or {}, log["eval"]["task"]
    if not {"toon", "format"} <= about.keys():
        raise RunError(
            f"{name} is a log of the task {excerpt(str(task))}, not of questions that toon "
            "questions wrote."
        )
    for sample in sorted(samples, key=lambda one: one["epoch"]):
        output, usage = sample.get("output") or {}, (sample.get("model_usage") or {}).values()
        written = sum(one["output_tokens"] for one in usage)
        read = sum(one["total_tokens"] for one in usage) - written
        grade = (sample.get("scores") or {}).get("graded", {}).get("value")
        stops = [choice.get("stop_reason", "") for choice in output.get("choices") or []]
        why = f"no text, {stops[0]}" if stops else "no answer"
        record = _record(
            about["format"],
            sample["metadata"],
            output.get("completion") if grade else None,
            grade == "C",
            (sample.get("error") or {}).get("message") or why,
            (read, written) if usage else (None, None),
        )
        yield about["toon"], log["eval"]["model"], record


def _of_promptfoo(name: str, log: dict[str, Any]) -> Iterator[_Found]:
    for one in log["results"]["results"]:
        row, response = one["testCase"].get("metadata") or {}, one.get("response") or {}
        if "toon" not in row:
            raise RunError(
                f"{name} has results of other prompts, not of questions that toon questions wrote."
            )
        usage, said = response.get("tokenUsage") or {}, response.get("output")
        if one.get("failureReason") == 2:
            said = None
        elif said is not None and not isinstance(said, str):
            said = json.dumps(said)
        read, written = usage.get("prompt"), usage.get("completion")
        record = _record(
            one["prompt"]["label"],
            row,
            said,
            bool(one["success"]),
            str(one.get("error") or response.get("error") or "no text"),
            # A cached answer has no usage.
            (int(read), int(written or 0)) if read else (None, None),
        )
        yield row["toon"], str(one["provider"].get("label") or one["provider"]["id"]), record


def _record(
    format: str,
    row: dict[str, Any],
    said: str | None,
    is_right: bool,
    why: str,
    tokens: tuple[int, int] | tuple[None, None],
) -> Record:
    """Return the record of a question in a log and its answer; ``why`` says why no answer came."""
    asked = [str(row[key]) for key in ("id", "kind", "question", "answer")]
    id, kind, text, answer = asked
    graded = (str(said), is_right, "") if said else (None, None, why)
    return Record(id, str(format), kind, text, answer, *graded, *tokens)
