"""No secret in a HAR reaches a result, in any kind of file and with any path."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traffic.reading import entry, har, lines, read_all, zipped
from toon.traffic.payload import BadRecord, Payload

ENTRIES = [
    entry(text='{"fine": 1}'),
    entry("https://SECRET:SECRET@example.com:8443/a/SECRET%20SECRET;sid=SECRET", text="[1]"),
    entry(text="SECRET"[:0]),
    entry(),
    entry(mimeType="text/html; SECRET", text="<p>"),
    entry("data:text/plain,SECRET", text="[1]"),
    entry("https://[SECRET", text="[1]"),
    {**entry(text='{"a": '), "comment": "SECRET"},
]
HAR = json.dumps(har(*ENTRIES))
CELLS = [json.dumps(record).replace('"', '""') for record in ENTRIES]

FORMS: dict[str, str | bytes] = {
    "har": HAR,
    "indented": json.dumps(har(*ENTRIES), indent=2),
    "other key first": json.dumps({"comment": "SECRET", **har(*ENTRIES)}),
    "inside of log": json.dumps(har(*ENTRIES)["log"]),
    "entries": json.dumps(ENTRIES),
    "lines": lines(*ENTRIES),
    "wrapped lines": lines(*({"p": record} for record in ENTRIES)),
    "text in lines": lines(*({"p": json.dumps(record)} for record in ENTRIES)),
    "csv": "p,q\n" + "".join(f'"{cell}",1\n' for cell in CELLS),
    "gzip": gzip.compress(HAR.encode()),
    "zip": zipped({"a/b.har": HAR, "c.json": lines(*ENTRIES)}),
    "cut off": HAR[:-700],
    "cut off gzip": gzip.compress(HAR.encode())[:-30],
    "damaged": HAR.replace('"GET"', '"GET" SECRET', 2),
    "not UTF-8": HAR.encode().replace(b"fine", b"\xff"),
}  # fmt: skip


def check(data: str | bytes, payload_path: str | None, group_path: str | None = None) -> int:
    """Fails if a secret is in the results; returns the number of payloads."""
    items = read_all(data, payload_path=payload_path, group_path=group_path)
    assert items
    assert "SECRET" not in repr(items)
    return sum(isinstance(item, Payload) for item in items)


@pytest.mark.parametrize("form", FORMS)
def test_no_secret_of_a_har_is_kept(form: str) -> None:
    path = "p" if "lines" in form and form != "lines" else None

    assert check(FORMS[form], path) >= 1


@pytest.mark.parametrize("form", ["har", "other key first", "entries", "lines", "gzip", "zip"])
@pytest.mark.parametrize("path", ["$", "request", "request.headers", "request.postData.text"])
def test_no_path_leads_to_a_secret(form: str, path: str) -> None:
    assert check(FORMS[form], path, path) >= 1
    assert check(FORMS[form], path, "request.url") >= 1


def test_a_har_with_a_damaged_key_is_refused() -> None:
    reason = "HTTP traffic that is no readable HAR: it may hold secrets, so is not kept"

    assert read_all(HAR.replace('"log"', '"olg"')) == [BadRecord("log.x", 1, reason)]
    row = lines(ENTRIES[0]).replace('"request"', '"quest"').replace('"url"', '"u"')
    assert read_all(row, payload_path="quest.headers") == [BadRecord("log.x", 1, reason)]


# A slash would make a word of a path, which is no secret, out of anything.
NOISE = st.binary(max_size=3).filter(lambda noise: b"/" not in noise)


@given(st.integers(0, len(HAR)), NOISE)
def test_no_damage_lets_a_secret_out(at: int, noise: bytes) -> None:
    data = HAR.replace("SECRET%20SECRET", "a word in a path is no secret").encode()

    assert "SECRET" not in repr(read_all(data[:at] + noise))
    assert "SECRET" not in repr(read_all(data[:at] + noise + data[at + 1 :]))


@pytest.mark.parametrize(
    ("value", "group"),
    [
        ("https://a.example.com/x/1?k=SECRET", "a.example.com/x/{id}"),
        ("POST /x?k=SECRET", "POST /x"), ("/x;s=SECRET#SECRET", "/x"), ("x?SECRET", "x"),
        ("GET /users/42?token=SECRET HTTP/1.1", "GET /users/{id} HTTP/1.1"),
        ("GET https://me:SECRET@a.example/u/42?k=SECRET 200", "GET a.example/u/{id} 200"),
        ("find?k=SECRET (cached)", "find (cached)"), ("any questions?", "any questions?"),
    ],
)  # fmt: skip
def test_a_url_anywhere_in_a_group_is_folded(value: str, group: str) -> None:
    (payload,) = read_all(lines({"g": value, "p": {"x": 1}}), group_path="g", payload_path="p")

    assert isinstance(payload, Payload)
    assert payload.group == group
