"""What a run holds, and its Parquet file: the answers, and how they were asked. Never the key."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import InitVar, asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from toon.codec.api import SPEC_VERSION
from toon.errors import RunError
from toon.files import write_file
from toon.reading.grading import is_right
from toon.reading.plan import TEMPLATE
from toon.text import whole

if TYPE_CHECKING:
    import pyarrow as pa

    from toon.reading.endpoint import Endpoint, Reply
    from toon.reading.plan import Plan, Prompt

#: The version of columns and metadata. Files of another version are refused.
VERSION: Final = 1
_KEY: Final = b"toon.reading"
#: Answers that a killed process may lose.
_FEW: Final = 4
#: Characters of an answer that are kept.
ANSWER_CHARACTERS: Final = 4_000


@dataclass
class Record:
    """A question in a format, with what came of it.

    Attributes:
        question: The question's place in the plan.
        kind, place, type, text, answer: Those of the question; ``answer`` is what is right.
        format: The name of the format.
        said: The answer, of a long one the beginning; None where none came.
        is_right: Whether it is right; None where none came.
        prompt_tokens: Those of the input, as the endpoint counted; None: it did not say.
        our_tokens: The same as this project counts for the chosen model.
        completion_tokens: Those of the answer, as the endpoint counted.
        seconds: Of the call; with those for the prompt and for the answer where the server says.
        sent: How often the prompt was sent. A request without an answer may have been billed.
        error: What went wrong, as a sentence; "" for nothing. An answer may have one too.
    """

    question: int
    kind: str
    place: str
    type: str
    text: str
    answer: str
    format: str
    said: str | None = None
    is_right: bool | None = None
    prompt_tokens: int | None = None
    our_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    prompt_seconds: float | None = None
    generation_seconds: float | None = None
    sent: int = 0
    error: str = ""

    @property
    def tokens(self) -> int:
        """Tokens of input and output: the endpoint's count, else ours for the input."""
        read = self.our_tokens if self.prompt_tokens is None else self.prompt_tokens
        return (read or 0) + (self.completion_tokens or 0)


def make_record(plan: Plan, prompt: Prompt, reply: Reply | None, sent: int, error: str) -> Record:
    """The record of a prompt that was sent ``sent`` times; without a reply it has no answer."""
    question = plan.questions[prompt.number]
    record = Record(
        prompt.number,
        *(question.kind, question.place, question.type, question.text, question.answer),
        prompt.format,
        our_tokens=prompt.tokens,
        sent=sent,
        error=error,
    )
    if reply is not None:
        record.said = reply.text[:ANSWER_CHARACTERS]
        if len(reply.text) > ANSWER_CHARACTERS and not error:
            size = f"The answer has {len(reply.text):,} characters"
            record.error = f"{size}; the first {ANSWER_CHARACTERS:,} are kept."
        record.is_right = is_right(reply.text, question.answer, question.type)
        record.prompt_tokens = reply.prompt_tokens
        record.completion_tokens = reply.completion_tokens
        record.seconds = reply.seconds
        record.prompt_seconds = reply.prompt_seconds
        record.generation_seconds = reply.generation_seconds
    return record


@dataclass
class About:
    """How a run was asked.

    Attributes:
        payload: The hash of the payload.
        model, answered: The model as it was asked for, and the names that replies gave it.
        base_url: Without a user, a password or a query.
        began: When, ISO 8601 in UTC.
        questions, formats, refused, seed, is_explained: Those of the plan.
        template: The prompt.
        temperature: 0; None where the model takes none.
        answer_tokens: The most tokens that an answer may have.
        lab_model, tokenizer: What our tokens are counted by.
        lab: The versions of what made and graded the run.
        stopped: Why it is not complete; "" if it is.
    """

    payload: str
    model: str
    base_url: str
    questions: int
    formats: list[str]
    refused: dict[str, str]
    seed: int
    is_explained: bool
    answer_tokens: int
    lab_model: str
    tokenizer: str
    temperature: float | None = 0.0
    answered: list[str] = field(default_factory=list)
    began: str = ""
    template: str = TEMPLATE
    lab: dict[str, str] = field(default_factory=dict)
    stopped: str = ""
    version: int = VERSION


@dataclass
class AskedRun:
    """A run: how it was asked, and what came of it, at most one record of a question and format."""

    meta: About
    given: InitVar[Iterable[Record]] = ()
    _records: dict[tuple[int, str], Record] = field(init=False, default_factory=dict)

    def __post_init__(self, given: Iterable[Record]) -> None:
        for record in given:
            self.add(record)

    def add(self, record: Record) -> None:
        """Takes a record in place of an earlier one of the same question and format."""
        self._records[record.question, record.format] = record

    def find(self, prompt: Prompt) -> Record | None:
        """What came of a prompt; None if it was not sent yet."""
        return self._records.get((prompt.number, prompt.format))

    @property
    def records(self) -> list[Record]:
        """The records by question, formats in their order."""
        places = {name: place for place, name in enumerate(self.meta.formats)}
        last = len(places)
        return sorted(
            self._records.values(), key=lambda one: (one.question, places.get(one.format, last))
        )

    @property
    def answers(self) -> int:
        """How many prompts have an answer."""
        return sum(record.said is not None for record in self._records.values())


class Left(NamedTuple):
    """What of a plan is still to send.

    Attributes:
        prompts: What has no answer.
        kept: Answers that stay.
        again: Prompts that were sent before, without an answer: they may be billed twice.
    """

    prompts: list[Prompt]
    kept: int
    again: int


def left_of(plan: Plan, run: AskedRun | None) -> Left:
    """What of a plan a run lacks."""
    found = [(prompt, run.find(prompt) if run else None) for prompt in plan.prompts()]
    left = [(prompt, record) for prompt, record in found if record is None or record.said is None]
    again = sum(record is not None and record.sent > 0 for _, record in left)
    return Left([prompt for prompt, _ in left], len(found) - len(left), again)


#: What a file says of a run that has not ended, so of one that was killed too.
UNDER_WAY: Final = "It was under way when this was written."


def begin(plan: Plan, endpoint: Endpoint, before: AskedRun | None = None) -> AskedRun:
    """The run that begins now, or goes on with what another has."""
    meta = About(
        payload=plan.payload_hash,
        model=plan.model,
        base_url=endpoint.shown_url,
        questions=len(plan.questions),
        formats=list(plan.formats),
        refused=dict(plan.refused),
        seed=plan.seed,
        is_explained=plan.is_explained,
        answer_tokens=plan.answer_tokens,
        lab_model=plan.lab_model.name,
        tokenizer=plan.lab_model.tokenizer,
        temperature=endpoint.temperature,
        began=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        lab={"reading": str(VERSION), "toon-spec": SPEC_VERSION},
        stopped=UNDER_WAY,
    )
    if before is None:
        return AskedRun(meta)
    meta.began, meta.answered = before.meta.began, before.meta.answered
    return AskedRun(meta, before.records)


def check_resumable(run: AskedRun, plan: Plan) -> None:
    """Makes sure that a run's answers are answers to this plan.

    Raises:
        RunError: They are not; the message says what differs.
    """
    meta = run.meta
    pairs = [
        ("payload", meta.payload[:12], plan.payload_hash[:12]),
        ("model", meta.model, plan.model),
        ("seed", meta.seed, plan.seed),
        ("explanations", _yes(meta.is_explained), _yes(plan.is_explained)),
        ("bound of an answer", meta.answer_tokens, plan.answer_tokens),
    ]
    for what, then, now in pairs:
        if then != now:
            raise RunError(f"The run has another {what}: {then} there, {now} here.")
    if meta.template != TEMPLATE:
        raise RunError("The run was asked with another prompt, of another version of this program.")
    asked = {number: question.text for number, question in enumerate(plan.questions)}
    if any(asked.get(record.question) != record.text for record in run.records):
        raise RunError("The run has other questions: of another count, or another version.")


def _yes(is_so: bool) -> str:
    return "with" if is_so else "without"


def _schema() -> pa.Schema:
    """The columns of a file."""
    import pyarrow as pa

    types = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    return pa.schema(
        [(column.name, types[str(column.type).split(" ")[0]]) for column in fields(Record)]
    )


def to_parquet(run: AskedRun) -> bytes:
    """The run as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from toon.run_file import WRITING

    schema = _schema().with_metadata({_KEY: json.dumps(asdict(run.meta))})
    buffer = io.BytesIO()
    columns = {
        name: [_whole(getattr(record, name)) for record in run.records] for name in schema.names
    }
    pq.write_table(pa.Table.from_pydict(columns, schema=schema), buffer, **WRITING)
    return buffer.getvalue()


def _whole(cell: Any) -> Any:
    """A cell with U+FFFD for each surrogate, which UTF-8 cannot carry."""
    return whole(cell) if isinstance(cell, str) else cell


def read_run(source: str | Path | BinaryIO) -> AskedRun:
    """Reads a run from its Parquet file.

    Raises:
        OSError: The file cannot be read.
        RunError: It is damaged, no such run, or one of another version.
    """
    from pydantic import TypeAdapter

    from toon.run_file import RunFile

    name = str(source) if isinstance(source, str | Path) else "The file"
    table = RunFile(Path(source) if isinstance(source, str) else source, name).read()
    try:
        meta = json.loads((table.schema.metadata or {})[_KEY])
        if meta["version"] != VERSION:
            raise RunError(f"{name} is a run of version {meta['version']}; this reads {VERSION}.")
        if not table.schema.equals(_schema()):
            raise ValueError("other columns")
        records = TypeAdapter(list[Record]).validate_python(table.to_pylist())
        if not all(map(_is_sound, records)):
            raise ValueError("other values")
        return AskedRun(TypeAdapter(About).validate_python(meta), records)
    except (LookupError, TypeError, ValueError) as error:
        if isinstance(error, RunError):
            raise
        raise RunError(f"{name} is no run of questions: toon ask did not write it.") from None


def _is_sound(record: Record) -> bool:
    """Whether answers alone are graded, and no figure is below 0."""
    counts = (record.prompt_tokens, record.our_tokens, record.completion_tokens)
    seconds = (record.seconds, record.prompt_seconds, record.generation_seconds)
    is_graded = (record.said is None) is (record.is_right is None)
    return is_graded and all(figure is None or figure >= 0 for figure in (*counts, *seconds))


class Keeper:
    """Keeps a run in a file while it grows: a killed process loses a few answers at most."""

    def __init__(self, path: Path, run: AskedRun) -> None:
        """Writes what there is, so that a path that cannot be written is known before any cost.

        Raises:
            WriteError: The file cannot be written.
        """
        self.run = run
        self._path = path
        prompts = run.meta.questions * len(run.meta.formats)
        self._often = max(_FEW, prompts // 100)  # a file is written a hundred times, not a thousand
        self.write()

    def note(self) -> None:
        """Writes the file when a few records are new; called for each."""
        self._new += 1
        if self._new >= self._often:
            self.write()

    def write(self) -> None:
        """Writes the run as it is."""
        write_file(self._path, to_parquet(self.run))
        self._new = 0
