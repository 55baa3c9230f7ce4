"""The tab Compact lines: templates on the payload's records and on bundled ones."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from tests.pages.conftest import open_payload
from tests.pages.static import details, short_table_with
from tests.words import COMPACT, PRETTY, VS_COMPACT, VS_PRETTY
from toon.compact import DOMAINS, compact
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.limits import PAGE_CHARACTERS
from toon.records.query import respond
from toon.records.store import SAMPLE_NOW
from toon.records.story import play_story
from toon.tokenizers import get
from toon.values.fractions import fraction

#: Closed boxes that the tests look into.
FOLDS = ("forms", "body")
LINES = "Compact lines"
EVENTS = [
    {"id": "550e8400-e29b", "title": "Lunch", "start_at": "2026-02-18T14:00:00Z", "room": None},
    {"id": "660e8400-e29b", "title": "Choir", "start_at": "2026-02-18T19:30:00Z", "host": "Ana"},
]

#: A text that a page must not show as markup.
HOSTILE = "<script>alert(1)</script> **bold** [link](https://example.com) :red[x] $x$ `y`"


@pytest.fixture(autouse=True)
def open_events(app: AppTest) -> None:
    paste(app, json.dumps(EVENTS))


def paste(app: AppTest, text: str) -> None:
    open_payload(app, text, "compare", LINES)


def write(app: AppTest, template: str) -> None:
    """What the textarea tells after a pause; JavaScript does not run here."""
    version = app.session_state.template["version"]
    app.session_state.template_area = {"typed": {"version": version, "text": template}}
    app.run()


def template(app: AppTest) -> str:
    return str(app.session_state.template_text)


def codes(app: AppTest) -> list[str]:
    return [item.value for item in app.code]


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_lines_of_each_domain_stand_beside_json_and_toon(app: AppTest, domain: str) -> None:
    app.selectbox(key="lines_of").select(domain).run()
    whole = respond(domain, {"limit": "10"}).value
    lines = respond(domain, {"limit": "10", "format": "compact"})
    count = get("o200k_base").count

    assert codes(app)[0] == "\n".join(lines.value["lines"])
    assert app.text[0].value == f"10 {DOMAINS[domain].noun(10)}"
    assert json.loads(codes(app)[1])["ids"] == lines.value["ids"]
    assert list(details(app)) == [f"What the lines leave out: {len(*details(app).values())}"]
    forms = short_table_with(app, "Form").set_index("Form")
    tokens = forms["Tokens"]
    assert tokens[PRETTY] == count(JSON_PRETTY.dumps(whole))
    assert tokens[COMPACT] == count(JSON_COMPACT.dumps(whole))
    assert tokens["TOON"] == count(TOON.dumps(whole))
    assert tokens["compact lines"] == count(codes(app)[1])
    for column in (PRETTY, COMPACT, "same-fields JSON"):
        shown = forms.loc["compact lines", f"vs {column}"]
        expected = fraction(tokens["compact lines"], tokens[column])
        assert shown == pytest.approx(expected, abs=5e-4)
    assert app.header[0].value.startswith(f"Compact lines: {tokens['compact lines']} tokens, −")


def test_the_payload_becomes_lines_by_the_template_of_its_domain(app: AppTest) -> None:
    assert app.selectbox(key="lines_of").value == "playground"
    assert codes(app)[0].split("\n") == compact(EVENTS, "events", now=SAMPLE_NOW)["lines"]
    (left_out,) = details(app).values()
    assert "host of 1 event" in left_out

    paste(app, (ROOT / "samples" / "emails.json").read_text(encoding="utf-8"))
    assert template(app) == DOMAINS["emails"].text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Your payload gives no lines: it cannot be read."),
        ('{"a": 1}', "Your payload has no template of ours: only lists of records become lines."),
        ("[]", "no template of ours: an empty list does not say what its records are."),
        ('[1, "x"]', "no template of ours: these are not records of one kind"),
    ],
)
def test_a_payload_without_lines_says_why_and_examples_are_offered(
    app: AppTest, text: str, reason: str
) -> None:
    paste(app, text)

    assert any(reason in item.value for item in app.caption)
    app.selectbox(key="lines_of").select("notes").run()
    assert app.header[0].value.startswith("Compact lines: ")


def test_a_template_is_applied_to_the_payload_and_measured(app: AppTest) -> None:
    write(app, "line: {title} at {start_at|time} <by {host}>")

    assert codes(app)[0].split("\n") == ["Lunch at 14:00", "Choir at 19:30 by Ana"]
    tokens = short_table_with(app, "Form").set_index("Form")["Tokens"]
    same = [{name: record[name] for name in ("id", "title", "start_at")} for record in EVENTS]
    same[1]["host"] = "Ana"
    assert tokens["same-fields JSON"] == get("o200k_base").count(JSON_COMPACT.dumps(same))
    assert tokens[COMPACT] == get("o200k_base").count(JSON_COMPACT.dumps(EVENTS))
    assert not details(app)  # only of our own templates it is known what they leave out


def test_paths_that_lead_nowhere_are_named(app: AppTest) -> None:
    write(app, "line: {title} {titel}")
    assert app.warning[0].value.startswith("Paths that lead nowhere")
    assert "titel" in codes(app)
    write(app, "rows: somewhere\nline: {title}")
    assert app.info[0].value.startswith("There is no list of records")
    assert "somewhere" in codes(app)


@pytest.mark.rest
def test_hostile_texts_are_never_markup(app: AppTest) -> None:
    record = {"id": HOSTILE, "title": HOSTILE, "start_at": HOSTILE, "end_at": 1, HOSTILE: HOSTILE}
    paste(app, json.dumps([record]))
    assert any(HOSTILE in line for lines in details(app).values() for line in lines)
    assert_no_markup(app)
    write(app, f"summary: {{[0].title}} {{nowhere}}\nline: {{title}} {{{json.dumps([HOSTILE])}}}")

    assert any(HOSTILE in text for text in codes(app))
    assert_no_markup(app)


def assert_no_markup(app: AppTest) -> None:
    marked = [*app.markdown, *app.caption, *app.header, *app.error, *app.warning, *app.info]
    assert not any("alert(1)" in item.value for item in marked)


@pytest.mark.rest
def test_a_large_payload_is_read_only_when_asked(app: AppTest) -> None:
    paste(app, json.dumps(EVENTS) + " " * PAGE_CHARACTERS)
    assert any(f"it is large, {PAGE_CHARACTERS // 1000:,}," in item.value for item in app.caption)
    assert app.selectbox(key="lines_of").value == "events"
    app.button(key="read_large_lines").click().run()

    assert app.selectbox(key="lines_of").value == "playground"
    assert codes(app)[0].endswith("id:660e8400")


def test_the_poll_of_an_agent_is_shown_step_by_step(app: AppTest) -> None:
    app.session_state.poll_fold = True
    app.selectbox(key="lines_of").select("notes").run()
    rows = play_story("notes", "o200k_base", 20)
    total = sum(row["tokens"] for row in rows)
    shown = short_table_with(app, "Step")

    assert shown["Tokens"].tolist() == [*(row["tokens"] for row in rows), total]
    assert shown[VS_COMPACT].tolist()[2] == rows[2]["tokens"]
    assert shown[VS_PRETTY].tolist()[3] == total - sum(row["json_pretty"] for row in rows)
    assert all(row["text"] in codes(app) for row in rows)
    assert any(
        item.value.startswith(f"All three steps: {total:,} tokens, −") for item in app.header
    )
