"""Reading without a browser: what is known, the questions, the logs."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import open_payload, open_tab, table_with
from tests.pages.static import cards, short_table_with
from tests.reading.asked import TASKS, inspect_log, packed, promptfoo_results
from tests.words import COMPACT
from toon.evidence.claims import CLAIMS
from toon.reading.known import STUDIES
from toon.reading.verdicts import primer_words, study_words

PAGE = "evidence.py"
FOLDS = ("reading_known", "reading_questions")


def test_what_is_known_comes_first_with_what_agents_lost(app: AppTest) -> None:
    assert app.header[0].value == (
        f"Three models read TOON as well as {COMPACT}, Gemini 3.6 Flash better (+5.7 points)"
    )
    (chart,) = app.get("vega_lite_chart")
    assert "Gemini 3.6 Flash: +5.7 points (+1.9 to +9.5)" in chart.proto.alt
    _, interval, *_ = json.loads(chart.proto.spec)["layer"]
    least, most = interval["encoding"]["x"]["scale"]["domain"]
    assert least < -0.02 < 0.095 < most  # all intervals are in view
    assert [(card.name, card.figure) for card in cards(app)] == [("In agent loops", "−9 points")]


@pytest.mark.rest
def test_sources_say_what_was_measured_where_and_what_is_claimed(app: AppTest) -> None:
    open_tab(app, "Sources and claims", "evidence")

    text = "\n".join(item.value for item in [*app.markdown, *app.caption])
    assert primer_words() in text
    assert all(study_words(study) in text for study in STUDIES)
    assert "toon-format/toon at commit f06ddca" in text
    table = table_with(app, "Model")
    assert len(table) == 24
    gemini = table[(table["Model"] == "Gemini 3.6 Flash") & (table["Format"] == "TOON")]
    assert gemini[["Right", "Points"]].to_numpy().tolist() == [["69.3\u202f%", "+5.7"]]
    claims = table_with(app, "Its document")
    assert claims["System"].tolist() == [claim.system for claim in CLAIMS]
    assert claims["Claimed"].tolist()[0] == -0.46


@pytest.mark.rest
def test_questions_have_their_answers_before_anything_is_asked_or_say_why_there_are_none(
    app: AppTest,
) -> None:
    table = table_with(app, "Question")
    assert len(table) == 60
    assert table["Answer"].str.len().min() > 0
    open_payload(app, '{"a":1}', "evidence")
    assert "with one clear answer, and 20 are needed" in app.info[0].value


def test_logs_say_what_was_seen_and_stay_when_others_are_refused(app: AppTest) -> None:
    log = json.dumps(promptfoo_results()).encode()
    app.file_uploader(key="reading_upload").set_value([("results.json", log, "")]).run()

    headline = f"echo read TOON better (+100.0 points) than {COMPACT}"
    assert app.header[0].value == headline
    assert table_with(app, "Points")["Points"].tolist() == ["\u2013", "+100.0"]
    wrong = short_table_with(app, "The model said").to_numpy().tolist()
    assert wrong[0] == [TASKS.rows[0]["question"], COMPACT, TASKS.rows[0]["answer"], "no idea"]
    app.file_uploader(key="reading_upload").set_value([("my.json", b"[1]", "")]).run()
    assert app.error[0].value.startswith("my.json is no log of Inspect")
    assert app.header[0].value == headline
    app.switch_page("compare.py").run()
    app.switch_page(PAGE).run()
    assert app.header[0].value == headline


def test_of_several_models_one_is_chosen(app: AppTest) -> None:
    logs = [inspect_log(format) for format in ("json-compact", "toon")]
    other = json.loads(json.dumps(logs))
    for log in other:
        log["eval"]["model"] = "openai/gpt-5"
    files = [(f"{n}.eval", packed(log), "") for n, log in enumerate([*logs, *other])]
    app.file_uploader(key="reading_upload").set_value(files).run()
    app.selectbox(key="reading_model").select("openai/gpt-5").run()

    assert app.header[0].value.startswith("openai/gpt-5 read TOON better")
