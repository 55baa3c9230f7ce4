"""The compact page without a browser: every panel, payloads good and bad, and the controls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_tab
from tests.pages.static import details
from tests.words import COMPACT, PRETTY, VS_COMPACT, VS_PRETTY, first
from toon.compact import DOMAINS, compact
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.formats.toon import TOON
from toon.limits import PAGE_CHARACTERS
from toon.records.query import respond
from toon.records.store import SAMPLE_NOW
from toon.records.story import story
from toon.tokenizers import get
from toon.values.fractions import fraction

PAGE = "compact.py"
#: Closed boxes that the tests look into.
FOLDS = ("lines_forms", "template_forms")
TEMPLATE = "Your own template"
EVENTS = [
    {"id": "550e8400-e29b", "title": "Lunch", "start_at": "2026-02-18T14:00:00Z", "room": None},
    {"id": "660e8400-e29b", "title": "Choir", "start_at": "2026-02-18T19:30:00Z", "host": "Ana"},
]
#: A text that a page must not show as markup.
HOSTILE = "<script>alert(1)</script> **bold** [link](https://example.com) :red[x] $x$ `y`"


def paste(app: AppTest, text: str) -> None:
    """Puts a text into the playground and comes back."""
    app.switch_page("playground.py").run()
    app.session_state.source = {"side": "json", "text": text}
    app.switch_page("compact.py").run()


def write(app: AppTest, template: str) -> None:
    """What the textarea tells after a pause; JavaScript does not run here."""
    open_tab(app, TEMPLATE, "compact")
    version = app.session_state.template["version"]
    app.session_state.template_area = {"typed": {"version": version, "text": template}}
    app.run()


def table(app: AppTest, column: str) -> Any:
    """The values of a table with this column."""
    return next(frame.value for frame in app.dataframe if column in frame.value.columns)


def codes(app: AppTest) -> list[str]:
    return [item.value for item in app.code]


def headlines(app: AppTest) -> list[str]:
    return [item.value for item in app.header]


# -- lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_lines_of_each_domain_stand_beside_json_and_toon(app: AppTest, domain: str) -> None:
    app.selectbox(key="lines_of").select(domain).run()
    app.slider(key="lines_limit").set_value(7).run()
    app.session_state.lines_ids_fold = app.session_state.lines_body_fold = True
    app.run()
    whole = respond(domain, {"limit": "7"}).value
    lines = respond(domain, {"limit": "7", "format": "compact"})
    count = get("o200k_base").count

    assert codes(app)[1] == "\n".join(lines.value["lines"])
    assert codes(app)[2] == lines.text()
    assert app.text[0].value == lines.value["summary"]
    assert table(app, "Id")["Id"].tolist() == lines.value["ids"]
    forms = table(app, "Form").set_index("Form")
    tokens = forms["Tokens"]
    assert tokens[PRETTY] == count(JSON_PRETTY.dumps(whole))
    assert tokens[COMPACT] == count(JSON_COMPACT.dumps(whole))
    assert tokens["TOON"] == count(TOON.dumps(whole))
    assert tokens["compact lines"] == count(lines.text())
    for column in (PRETTY, COMPACT, "same-fields JSON"):
        shown = forms.loc["compact lines", f"vs {column}"]
        assert shown == fraction(tokens["compact lines"], tokens[column])


def test_the_payload_of_the_playground_becomes_lines(app: AppTest) -> None:
    paste(app, json.dumps({"data": EVENTS}))

    assert app.selectbox(key="lines_of").value == "playground"
    assert codes(app)[1].split("\n") == compact(EVENTS, "events", now=SAMPLE_NOW)["lines"]
    (left_out,) = details(app).values()
    assert "host of 1 event" in left_out
    open_tab(app, TEMPLATE, "compact")
    assert app.selectbox(key="template_on").value == "playground"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it cannot be read"),
        ("{", "it cannot be read"),
        ('{"a": 1}', "only lists of records become lines"),
        ("[]", "an empty list does not say what its records are"),
        ('[1, "x"]', "these are not records of one kind"),
    ],
)
def test_a_payload_without_lines_says_why_and_bundled_records_are_offered(
    app: AppTest, text: str, reason: str
) -> None:
    paste(app, json.dumps(EVENTS))
    paste(app, text)

    assert any(f"gives no lines: {reason}" in item.value for item in app.caption)
    assert app.selectbox(key="lines_of").value in DOMAINS
    assert headlines(app)[0].startswith("Compact lines: ")


def test_chosen_fields_are_compared_with_json_of_the_same(app: AppTest) -> None:
    app.text_input(key="lines_fields").set_value("title").run()
    assert codes(app)[0].startswith("GET /events?format=compact&limit=10&fields=title\n400 · ")
    app.segmented_control(key="lines_format").set_value("toon").run()
    assert headlines(app)[0].startswith("TOON, fields chosen: ")
    forms = table(app, "Form").set_index("Form")
    base = respond("events", {"limit": "10", "fields": "title"}).text()
    tokens = forms.loc["TOON, fields chosen", "Tokens"]
    against = forms.loc["TOON, fields chosen", "vs same-fields JSON"]
    assert against == fraction(tokens, get("o200k_base").count(base))


@pytest.mark.parametrize(
    ("key", "value"),
    [("lines_since", "soon"), ("lines_date", "someday"), ("compact_tz", "Mars/One")],
)
def test_a_query_that_is_invalid_is_answered_in_full_json(
    app: AppTest, key: str, value: str
) -> None:
    app.text_input(key=key).set_value(value).run()

    assert json.loads(codes(app)[1])["error"]["code"] == "INVALID_QUERY"
    assert app.warning[0].value.startswith("The query cannot be answered.")


def test_since_gives_a_diff_whatever_the_format(app: AppTest) -> None:
    app.text_input(key="lines_since").set_value("2026-02-18T14:00:00Z").run()
    answer = respond("events", {"since": "2026-02-18T14:00:00Z"})

    assert codes(app)[1] == answer.text()
    assert answer.value["meta"]["total_changes"] == 3
    row = table(app, "Form").set_index("Form").loc[f"{COMPACT}, changes"]
    assert row["Tokens"] == get("o200k_base").count(answer.text())
    assert headlines(app)[0].startswith(f"{first(COMPACT)}, changes: ")


@pytest.mark.rest
def test_since_over_records_without_timestamps_claims_no_saving(app: AppTest) -> None:
    paste(app, json.dumps(EVENTS))
    app.text_input(key="lines_since").set_value("2026-02-18").run()

    assert app.warning[0].value.startswith("None of these records has a timestamp in created_at")
    assert not any("changes: " in text for text in headlines(app))
    assert not any("changes" in form for form in table(app, "Form")["Form"])

    paste(app, json.dumps([{**record, "updated_at": "2026-02-18"} for record in EVENTS]))
    assert headlines(app)[0].startswith(f"{first(COMPACT)}, changes: ")


@pytest.mark.rest
def test_clock_and_zone_reach_the_lines_and_hold_across_pages(app: AppTest) -> None:
    app.selectbox(key="lines_of").select("emails").run()
    app.text_input(key="compact_now").set_value("2027-02-18T14:30:00Z").run()
    aged = codes(app)[1]
    app.switch_page("playground.py").run()
    app.switch_page("compact.py").run()

    assert all("1y ago" in line for line in aged.split("\n"))
    assert codes(app)[1] == aged
    app.selectbox(key="lines_of").select("events").run()
    before = codes(app)[1]
    app.text_input(key="compact_tz").set_value("Asia/Tokyo").run()
    assert codes(app)[1] != before


@pytest.mark.rest
def test_an_invalid_clock_is_reported(app: AppTest) -> None:
    app.text_input(key="compact_now").set_value(HOSTILE).run()

    assert app.error[0].value.startswith("Now is not a timestamp.")
    assert codes(app)[0] == HOSTILE


@pytest.mark.rest
def test_hostile_texts_are_never_markup(app: AppTest) -> None:
    record = {"id": HOSTILE, "title": HOSTILE, "start_at": HOSTILE, "end_at": 1, HOSTILE: HOSTILE}
    paste(app, json.dumps([record]))
    write(app, f"summary: {{[0].title}} {{nowhere}}\nline: {{title}} {{{json.dumps([HOSTILE])}}}")

    assert any(HOSTILE in text for text in codes(app))
    assert_no_markup(app)
    open_tab(app, "Lines", "compact")
    assert any(HOSTILE in line for lines in details(app).values() for line in lines)
    assert_no_markup(app)


def assert_no_markup(app: AppTest) -> None:
    marked = [*app.markdown, *app.caption, *app.header, *app.error, *app.warning, *app.info]
    assert not any("alert(1)" in item.value for item in marked)


@pytest.mark.rest
def test_a_payload_nested_too_deep_to_be_measured_says_so(app: AppTest) -> None:
    deep: Any = 1
    for _ in range(255):
        deep = [deep]
    paste(app, json.dumps([{**EVENTS[0], "deep": deep}]))
    open_tab(app, TEMPLATE, "compact")

    assert app.error[0].value == "The response cannot be measured in every form:"


@pytest.mark.rest
def test_a_large_payload_is_read_only_when_asked(app: AppTest) -> None:
    paste(app, json.dumps(EVENTS) + " " * PAGE_CHARACTERS)
    assert any(f"it is large, {PAGE_CHARACTERS // 1000:,}," in item.value for item in app.caption)
    assert app.selectbox(key="lines_of").value in DOMAINS
    app.button(key="read_large_lines").click().run()

    assert not app.exception
    assert app.selectbox(key="lines_of").value == "playground"
    assert codes(app)[1].endswith("id:660e8400")
    app.slider(key="lines_limit").set_value(1).run()
    assert codes(app)[1].endswith("id:550e8400")


# -- the other panels ------------------------------------------------------------------------


@pytest.mark.rest
def test_the_story_of_an_agent_is_shown_step_by_step(app: AppTest) -> None:
    open_tab(app, "Poll", "compact")
    app.selectbox(key="poll_of").select("notes").run()
    rows = story("notes", "o200k_base", 20)
    total = sum(row["tokens"] for row in rows)
    shown = table(app, "Step")

    assert shown["Tokens"].tolist() == [*(row["tokens"] for row in rows), total]
    assert shown[VS_COMPACT].tolist()[2] == rows[2]["tokens"]
    assert shown[VS_PRETTY].tolist()[3] == total - sum(row["json_pretty"] for row in rows)
    assert all(row["text"] in codes(app) for row in rows)
    assert f"All three steps: {total:,} tokens, −" in headlines(app)[0]
