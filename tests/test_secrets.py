"""No secret is shown or kept, whichever way it comes in; what is measured is what was there.

Every planted secret has PLANTED in it. The keys look real and are none: each is put together here,
so that no scanner of secrets finds one in this repository.
"""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
import pytest

from tests.traffic.reading import entry, har, lines, zipped
from tests.work import count_lines
from toon import tokenizers
from toon.cli import main
from toon.mcp.tools import measure
from toon.playground.editors import rewrite
from toon.secrets import disguise, is_secret_name, mask, may_hold_credentials
from toon.tap.log import Log

VALUE: Final = 'PLANTED with {blanks}, "quotes" \\ and more'
NAMES: Final = (
    "authorization", "Proxy-Authorization", "cookie", "Set-Cookie", "x-api-key", "API_KEY",
    "apiKey", "OPENAI_API_KEY", "access_token", "refreshToken", "id_token", "clientSecret",
    "password", "db.passwd", "secret", "private_key", "SESSION-TOKEN", "bearer", "pwd", "jwt",
    "AWS_SECRET_ACCESS_KEY", "Ocp-Apim-Subscription-Key", "PHPSESSID", "passphrase", "auth",
)  # fmt: skip
HARMLESS: Final = (
    "max_tokens", "total_tokens", "next_page_token", "pageToken", "session_id", "author", "keys",
    "key", "passed", "token_count", "eos_token", "public_keys", "signal", "compass", "cookies_ok",
)  # fmt: skip
KEYS: Final = (
    "s" + "k-PLANTED1234567890", "s" + "k-ant-api03-PLANTED-1234", "AK" + "IAPLANTED1234567",
    "gh" + "p_PLANTED1234567890123", "xo" + "xb-12-PLANTED12345", "ey" + "JPLANTED.ey.x",
    "AI" + "zaPLANTED12345678901234", "github" + "_pat_PLANTED123456789",
    "-----BEGIN " + "PRIVATE KEY-----\nPLANTED\n-----END PRIVATE KEY-----",
    "https://me:PLANTED@example.com/x", "https://example.com/x?key=PLANTED&access_token=PLANTED#y",
    "password=PLANTED", "Authorization: Basic cDpQTEFOVEVE PLANTED", "Cookie: a=b; sid=PLANTED",
)  # fmt: skip
#: A record that has a secret wherever logs have one.
RECORD: Final[dict[str, Any]] = {
    "id": 7,
    **dict.fromkeys(NAMES, VALUE),
    "headers": [{"name": "X-Api-Key", "value": VALUE}, {"value": VALUE, "name": "Cookie"}],
    "rawHeaders": ["Accept", "*/*", "Authorization", VALUE],
    "set_cookie": [VALUE, VALUE],
    "credentials": {"of": {"one": VALUE, "list": [VALUE]}},
    "text": json.dumps({"client_secret": VALUE, "in": json.dumps({"password": VALUE})}),
    "notes": list(KEYS),
    KEYS[0]: 1,
}
FILES: Final = (
    "auth.json", "AUTH.JSON", "credentials.json", "credentials", ".env", ".env.local",
    "my-token.json", "tokens.json", "oauth_creds.json", ".netrc", "id_rsa", "server.pem", "a.key",
    ".npmrc", "secrets.jsonl", "client_secret_1.json", "auth.json.gz",
)  # fmt: skip

Door = Callable[[Path], list[str]]


def _file(name: str, data: str | bytes, *options: str) -> Door:
    def write(folder: Path) -> list[str]:
        path = folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return [str(path), *options]

    return write


def _folder(folder: Path) -> list[str]:
    """A home of a tool, with a log beside what must not be opened."""
    home = folder / "home"
    home.mkdir()
    for name in FILES:
        (home / name).write_text(json.dumps({"anything": "PLANTED"}))
    (home / "log.jsonl").write_text(lines(RECORD))
    return [str(home)]


def _recording(folder: Path) -> list[str]:
    """What the tap writes of a call whose request and answer hold secrets."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    asked = {**call, "params": {"name": "search", "arguments": RECORD}}
    content = [{"type": "text", "text": json.dumps(RECORD)}]
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": content}}
    line = {"tap": "mcp", "time": "2026-03-02T10:00:00Z", "exchange": [asked, answer]}
    Log(folder / "traffic.jsonl").append(lines(line).encode())
    return [str(folder / "traffic.jsonl")]


def _csv(*rows: list[str]) -> str:
    target = io.StringIO()
    csv.writer(target).writerows(rows)
    return target.getvalue()


TEXT: Final = json.dumps(RECORD)
WRAPPED: Final = {"at": 1, "status": 200, "latency_ms": 3, "out": RECORD, "raw": TEXT}
DAMAGED: Final = TEXT.replace('"id"', "id")
#: What is measured by each door: how many payloads, and the status of the command.
DOORS: Final[dict[str, tuple[Door, int, int]]] = {
    "folder": (_folder, 1, 0),
    "zip": (_file("a.zip", zipped({**dict.fromkeys(FILES, TEXT), "l.json": TEXT})), 1, 0),
    "HAR": (_file("a.har", json.dumps(har(entry(KEYS[10], text=TEXT)))), 1, 0),
    "lines": (_file("a.jsonl", lines(RECORD, RECORD)), 2, 0),
    "document": (_file("a.json", json.dumps(RECORD, indent=2)), 1, 0),
    "unknown wrapper": (_file("a.jsonl", lines(WRAPPED, WRAPPED)), 0, 2),
    "a path to secrets": (
        _file("a.jsonl", lines(RECORD), "--payload", "credentials.of", "--group", "password"),
        1, 0,
    ),
    "CSV": (_file("a.csv", _csv(["api_key", "url", "body"], [VALUE, KEYS[10], TEXT])), 1, 0),
    "CSV without a header": (
        _file("a.csv", _csv([KEYS[0], TEXT], [KEYS[1], TEXT]), "--payload", "body"), 0, 1,
    ),
    "recording of the tap": (_recording, 1, 0),
    "damaged lines": (_file("a.jsonl", f"{DAMAGED}\n{TEXT}\n{TEXT[:-9]}\n"), 1, 1),
    "damaged document": (_file("a.json", DAMAGED), 0, 1),
    "credentials alone": (_file("auth.json", TEXT), 0, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize("as_json", [False, True])
def test_no_output_holds_a_secret_that_was_planted(
    name: str, as_json: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    door, payloads, status = DOORS[name]
    given, out = tmp_path / "in", tmp_path / "out"
    given.mkdir()
    out.mkdir()
    reports = [f"--report={out / f'report.{form}'}" for form in ("html", "md", "csv")]
    more = ["--json"] if as_json else []
    run = out / "run.parquet"
    paths = door(given)

    more += ["-o", str(run), "--keep-payloads", "--workers", "1"]
    assert main(["measure", *paths, *reports, *more]) == status
    printed = capfd.readouterr()
    table = pq.read_table(run).to_pylist() if run.exists() else []
    metadata = pq.read_metadata(run).metadata if run.exists() else {}
    written = [path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()]
    written += [path.read_bytes() for path in given.glob("traffic*")]  # what the tap wrote
    assert sum(row["text"] is not None for row in table) == payloads
    assert "PLANTED" not in f"{printed.out}{printed.err}{table}{metadata}"
    assert [data for data in written if b"PLANTED" in data] == []
    if not payloads:
        assert printed.err


def test_a_payload_is_counted_as_it_is_and_kept_as_json(tmp_path: Path) -> None:
    file, run = tmp_path / "a.json", tmp_path / "run.parquet"
    file.write_text(TEXT)

    assert main(["measure", str(file), "-o", str(run), "--keep-payloads"]) == 0
    [row] = pq.read_table(run).to_pylist()
    assert row["o200k_base.as-typed"] == tokenizers.get("o200k_base").count(TEXT)
    kept = json.loads(row["text"])
    assert (len(row["text"]), kept["id"], len(kept)) == (len(TEXT), 7, len(RECORD))


def _refuse_secrets(opened: Callable[..., Any]) -> Callable[..., Any]:
    def refuse(path: Any, *given: Any, **named: Any) -> Any:
        assert not may_hold_credentials(str(path))
        return opened(path, *given, **named)

    return refuse


def test_files_that_may_hold_credentials_are_named_and_never_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, run = Path(_folder(tmp_path)[0]), str(tmp_path / "run.parquet")
    with pytest.MonkeyPatch.context() as patch:  # the home is a log and files that nobody may open
        patch.setattr("builtins.open", _refuse_secrets(open))
        assert main(["measure", str(home), "-o", run, "--workers", "1"]) == 0
    first, *_ = sorted(FILES)

    [line] = [line for line in capsys.readouterr().out.splitlines() if "left out" in line]
    assert line.startswith(f"left out: {home / first}, ")
    assert line.endswith(f" and {len(FILES) - 10} more (may hold credentials)")


def test_one_that_is_named_alone_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(TEXT)

    assert main(["measure", str(path), "-o", str(tmp_path / "run.parquet")]) == 1
    assert capsys.readouterr().err == (
        f"  {path}, record 1: may hold credentials, so it is never read: if it is a log, rename"
        " it\n"
    )


@pytest.mark.parametrize(
    "text", [DAMAGED, f'curl -H "Authorization: Bearer {KEYS[0]}" x', *KEYS[:1]]
)
def test_an_error_shows_a_line_without_its_secrets(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)

    assert main(["stats", str(path)]) == 1
    shown = capsys.readouterr().err + repr(rewrite("minified", text))
    assert "PLANTED" not in shown
    assert "*****" in shown


def test_the_tools_for_agents_name_what_was_left_out(tmp_path: Path) -> None:
    answer = measure(_folder(tmp_path))

    assert (answer["payloads"], answer["not_measured"], len(answer["errors"])) == (1, 0, 10)
    assert "PLANTED" not in repr(answer)
    with pytest.raises(ValueError, match=r"^https://\*+@example.com/x: files of this machine"):
        measure([KEYS[9]])


def test_secret_names_are_told_from_others_however_they_are_spelled() -> None:
    assert [name for name in NAMES if not is_secret_name(name)] == []
    assert [name for name in HARMLESS if is_secret_name(name)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"password": null, "api_key": "", "token": true}', None),
        ('{"properties": {"password": {"type": "string", "default": "x"}}}', None),
        ('["password", "email"]', None), ("a token of thanks, the bearer of news", None),
        ('{"password": 1234, "b": 1}', '{"password": 1111, "b": 1}'),
        ("{'token': 'abc'}", "{'token': '***'}"), ("DB_PASSWORD=abc X=1", "DB_PASSWORD=*** X=1"),
        ('"{""api_key"": ""abc""}"', '"{""api_key"": ""***""}"'),
        ('"name": "password", "value": "abc"', '"name": "password", "value": "***"'),
        ('{"token": "cut of', '{"token": "******'),
    ],
)  # fmt: skip
def test_only_values_are_masked_and_what_was_json_still_is(text: str, shown: str | None) -> None:
    assert mask(text) == (shown or text)
    assert mask(mask(text)) == mask(text)


def test_a_disguise_is_as_long_the_same_for_the_same_key_and_another_for_another() -> None:
    text = json.dumps({"password": "Hunter-2 \n", "n": 12345})
    first, again, other = disguise(text, b"1"), disguise(text, b"1"), disguise(text, b"2")

    assert first == again != other
    assert len(first) == len(text)
    assert json.loads(first) == {"password": json.loads(first)["password"], "n": 12345}
    assert json.loads(first)["password"][6:7] + json.loads(first)["password"][8:] == "- \n"


def test_a_value_that_does_not_end_is_not_read_again_for_each_name_after_it() -> None:
    text = '"value":[' + ' "name": "authorization" ' * 50

    longer = text + "[" * 2_000
    for value in (text, longer):
        mask(value)  # compiles the patterns

    assert count_lines(mask, longer) == count_lines(mask, text)
