"""The tools for agents, with the same answers as the commands, and their server by MCP's SDK.

What a client sends is neither logged nor kept.

A ``payload`` is a JSON text as it would be sent: its whitespace counts. A ``model`` is a model or a
tokenizer by its name; "" is the tokenizer that the commands count by.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import islice
from os.path import getsize, isfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from toon import tokenizers
from toon.costs.document import Document, Typed, all_losses
from toon.costs.explanation import Explaining
from toon.costs.models import Choice, choices, verdict_for
from toon.costs.prices import use_prices
from toon.errors import TextError, render
from toon.formats import add_baselines, get
from toon.formats.json import JSON_COMPACT
from toon.installed import VERSION
from toon.measuring.run import measure as measure_run
from toon.measuring.table import open_run
from toon.playground.detection import read_any
from toon.secrets import CREDENTIALS, mask
from toon.traffic import read_paths
from toon.traffic.account import LEFT_OUT, Account
from toon.traffic.wrapped import WrappedError
from toon.values.json_text import parse_json

#: Bytes of files from which on a run is worth worker processes.
_LARGE: Final = 1_000_000
#: The most records that are named as not measured.
_SHOWN: Final = 10


def count(text: str, model: str = "") -> dict[str, Any]:
    """Counts the tokens of a text. `known` says how well the model's tokenizer is known."""
    choice = _choice(model)
    return {
        "tokens": tokenizers.get(choice.tokenizer).count(text),
        "counted_by": choice.tokenizer,
        "known": choice.evidence(),
    }


def recommend(
    payload: str,
    model: str = "",
    together: str = "1",
    explain: Sequence[str] = (),
    explained_cached: str = "0",
    formats: Sequence[str] = (),
) -> dict[str, Any]:
    """Says in which format to send a JSON payload, and what that saves: read `sentence`.

    `together` is how many payloads one prompt explains; "none" if the model needs no explanation.
    `explain` are your own explanations, each FORMAT=TEXT. `explained_cached` is the share of
    prompts, 0 to 1, that read them from the provider's cache, at what that costs with the model.
    `formats` are those to choose from; all that public libraries read without loss by default.
    """
    parsed = parse_json(payload)
    document = Document(parsed.value, Typed(payload))
    chosen = add_baselines(get(name).name for name in formats)
    choice = _choice(model)
    explaining = _explaining(choice, together, explain, explained_cached)
    verdict = verdict_for(choice, document, explaining, chosen)
    return {**verdict, "notices": list(map(str, parsed.notices))}


def encode(payload: str, format: str = "toon") -> dict[str, Any]:
    """Writes a JSON payload in a format, such as toon, toon-tab, yaml or json-compact.

    `lost` says what does not come back from it, `notices` what was changed in reading the payload.
    """
    parsed, chosen = parse_json(payload), get(format)
    text = chosen.dumps(parsed.value)
    lost = all_losses(chosen, parsed.value, text)
    return {"text": text, "lost": lost, "notices": list(map(str, parsed.notices))}


def decode(text: str) -> dict[str, Any]:
    """Reads TOON, one of its dialects, XML or JSON, and writes compact JSON.

    `notices` say what was changed in reading it.
    """
    parsed, _ = read_any(text)
    notices = list(map(str, parsed.notices))
    return {"text": JSON_COMPACT.dumps(parsed.value), "notices": notices}


def measure(
    paths: Sequence[str],
    payload_path: str = "",
    group_path: str = "",
    model: str = "",
    together: str = "1",
    explain: Sequence[str] = (),
    explained_cached: str = "0",
) -> dict[str, Any]:
    """Measures logs on this machine: HAR, JSON Lines, transcripts, traces, folders, globs.

    `payload_path` is where a record holds its payload, such as response.body; known kinds of logs
    need none. `together`, `explain` and `explained_cached` are those of `recommend`. `ladder` is
    what all payloads cost as typed, as compact JSON and as recommended for each; `chosen` says how
    many would take which format.
    """
    if urls := [path for path in paths if "://" in path]:
        raise ValueError(f"{mask(urls[0])}: files of this machine alone are measured, no URLs")
    choice = _choice(model)
    account = Account()
    large = any(not isfile(path) or getsize(path) > _LARGE for path in paths)
    try:
        with TemporaryDirectory(prefix="toon-mcp-") as folder:
            records = read_paths(
                list(paths),
                payload_path=payload_path or None,
                group_path=group_path or None,
                account=account,
            )
            run = Path(folder, "run.parquet")
            workers = None if large else 1
            summary = measure_run(
                records,
                run,
                tokenizers=[choice.tokenizer],
                workers=workers,
                explaining=_explaining(choice, together, explain, explained_cached),
            )
            errors = list(islice(open_run(run).errors(), _SHOWN))
    except WrappedError as error:
        paths_found = ", ".join(one.path for one in error.candidates)
        raise ValueError(f"{error}; payload_path may be: {paths_found}") from None
    left = [row.source for row in account.rows.values() if row.kind == LEFT_OUT]
    totals = summary.totals
    return {
        "payloads": totals.payloads,
        "not_measured": totals.errors,
        "skipped": totals.skipped,
        "errors": [
            *(f"{file}, record {record}: {reason}" for file, record, reason in errors),
            *(f"{file}: {CREDENTIALS}" for file in left[:_SHOWN]),
        ],
        "counted_by": choice.tokenizer,
        "nothing": totals.nothing,
        "ladder": list(totals.ladder) if totals.chosen else [],
        "chosen": dict(totals.chosen),
    }


def _choice(model: str) -> Choice:
    return choices([model] if model else [], [])[0]


def _explaining(
    choice: Choice, together: str, explain: Sequence[str], explained_cached: str
) -> Explaining:
    return use_prices(choice.model, Explaining.parse(together, explain, explained_cached))


# -- the server ----------------------------------------------------------------------------------

_INSTRUCTIONS: Final = """\
Before you send JSON to a language model again and again, ask `recommend` in which format it costs
fewest tokens; it often is compact JSON. `known` says how well a tokenizer is known."""

_TOOLS: Final = (count, recommend, encode, decode, measure)


def new_server() -> MCPServer[Any]:
    """Return a server of the Model Context Protocol with all tools of this module."""
    server = MCPServer(
        "token-lab", version=VERSION, instructions=_INSTRUCTIONS, log_level="CRITICAL"
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in _TOOLS:
        server.tool(annotations=reads)(_saying_errors(tool))
    return server


def _saying_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a tool of MCP so that its documented errors reach the client as messages."""

    @wraps(tool)
    def called(*arguments: Any, **options: Any) -> Any:
        try:
            return tool(*arguments, **options)
        except TextError as error:
            raise ToolError(render(error)) from None
        except (OSError, ValueError, RuntimeError) as error:
            raise ToolError(str(error)) from None

    return called
