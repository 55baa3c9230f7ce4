"""Reading without a browser: what is known, the questions, asking an endpoint on loopback."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.markdown import escape_markdown
from tests.pages.conftest import new_session, open_payload, open_tab, table_with
from tests.pages.static import short_table_with
from tests.pages.test_markdown import MARKDOWN
from tests.reading.scripted import KEY, PEOPLE, Call, Refuse, Say, Server, perfect, plan_of, serving
from tests.words import COMPACT
from toon.playground.state import OPTIONS
from toon.reading.endpoint import Endpoint, Reply
from toon.reading.known import STUDIES
from toon.reading.run import About, AskedRun, Record, begin, to_parquet
from toon.reading.verdicts import primer_words, study_words
from toon.wording import dollars

PAGE = "reading.py"
FOLDS = ("reading_known",)
PLAN = plan_of(20, ("toon",), is_explained=True)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(perfect(PLAN)) as found:
        yield found


def switch_on(app: AppTest, url: str, key: str = KEY) -> AppTest:
    """Fills in the tab that asks about the people of the plan, up to the button."""
    open_payload(app, json.dumps(PEOPLE), "reading")
    open_tab(app, "Ask", "reading")
    app.toggle(key="reading_on").set_value(True).run()
    app.text_input(key="reading_url").set_value(f"{url}/v1")
    app.text_input(key="reading_model").set_value("small")
    app.text_input(key="reading_key").set_value(key)
    app.number_input(key="reading_count").set_value(20)
    app.number_input(key="reading_seed").set_value(1)
    app.multiselect(key="reading_formats").set_value(["toon"])
    return app.run()


def press(app: AppTest) -> None:
    """Sends, waits until the thread has ended, and runs the page again."""
    app.button(key="reading_start").click().run()
    finish(app)


def finish(app: AppTest) -> None:
    if "reading_job" in app.session_state:
        app.session_state.reading_job.wait(20)
    app.run()
    assert not app.exception


def about() -> About:
    return begin(PLAN, Endpoint("http://localhost:1/v1", "small")).meta


def record(number: int, format: str, said: str | None = None) -> Record:
    """The record of a question that TOON alone gets right, or of what a model ``said``."""
    asked = PLAN.questions[number]
    right = said is None and format == "toon"
    answer = asked.answer if right else said or "no idea"
    return Record(number, asked.kind, asked.place, asked.type, asked.text, asked.answer, format,
                  answer, right, 10, 12, 2, 0.5, 0.4, 0.1, 1)  # fmt: skip


def words_of(app: AppTest) -> list[str]:
    """Everything that the page says."""
    kinds = (*MARKDOWN, "text_input", "code", "table")
    return [str(element.value) for kind in kinds for element in app.get(kind)]


def test_what_is_known_comes_first_and_names_its_source(app: AppTest) -> None:
    assert app.header[0].value == (
        f"By 244 single questions, of four models one reads TOON better than {COMPACT} "
        "(Gemini 3.6 Flash, +5.7 points); for three no difference was seen"
    )
    said = "\n".join(item.value for item in app.markdown)
    assert primer_words() in said
    assert all(study_words(study) in said for study in STUDIES)
    shares, differences = (chart.proto.alt for chart in app.get("vega_lite_chart"))
    assert "Gemini 3.6 Flash, TOON: 69.3\u202f% (63.2\u202f% to 74.7\u202f%)" in shares
    assert "Gemini 3.6 Flash, TOON: +5.7 points (+1.9 to +9.5)" in differences
    table = table_with(app, "Model")
    assert len(table) == 24
    assert any("toon-format/toon at commit f06ddca" in said.value for said in app.caption)
    flat = app.selectbox(key="reading_shape").select("map").run()
    assert "CSV" not in set(table_with(flat, "Model")["Format"])


@pytest.mark.rest
def test_the_questions_have_their_answers_before_anything_is_asked(app: AppTest) -> None:
    open_tab(app, "Questions", "reading")

    table = table_with(app, "Question")
    assert len(table) == 60
    assert table["Answer"].str.len().min() > 0
    again = app.number_input(key="reading_seed").set_value(7).run()
    assert table_with(again, "Question")["Question"].tolist() != table["Question"].tolist()


@pytest.mark.rest
def test_a_payload_that_is_too_small_says_so(app: AppTest) -> None:
    open_payload(app, '{"a":1}', "reading")
    for tab in ("Questions", "Ask"):
        open_tab(app, tab, "reading")
        if tab == "Ask":
            app.toggle(key="reading_on").set_value(True).run()
        assert "with one clear answer, and 20 are needed" in app.info[0].value


@pytest.mark.rest
def test_nothing_is_sent_before_the_press_and_the_page_says_what_will_be(
    app: AppTest, server: Server
) -> None:
    open_tab(app, "Ask", "reading")
    assert not app.text_input

    switch_on(app, server.url)
    (said,) = (item.value for item in app.markdown if "and to nobody else" in item.value)
    where = server.url.removeprefix("http://").replace(":", "&#58;")
    assert said == (
        f"**40 requests to {where}, and to nobody else**: 20 questions in 2 formats, each with the "
        f"whole payload. {PLAN.input_tokens:,} tokens in, at most 256 a request out. "
        f"At most {escape_markdown(dollars(PLAN.price))} at the price of GPT-5."
    )
    assert app.button(key="reading_start").label == f"Send 40 requests to {where}"
    assert server.calls == []


@pytest.mark.rest
def test_a_field_that_changes_with_the_press_is_shown_before_anything_is_sent(
    app: AppTest, server: Server
) -> None:
    switch_on(app, server.url)
    app.number_input(key="reading_requests").set_value(5)
    press(app)
    assert server.calls == []
    assert app.warning[0].value.startswith("Nothing was sent, as a field had changed.")
    press(app)
    assert len(server.calls) == 5


@pytest.mark.rest
def test_a_run_is_asked_graded_kept_and_found_again(app: AppTest, server: Server) -> None:
    switch_on(app, server.url)
    press(app)

    assert len(server.calls) == 40
    assert app.success[0].value.endswith("40 answers.")
    assert app.header[0].value == (
        f"small: no difference from {COMPACT} was seen; this run could have seen one of at least "
        "37 points"
    )
    token = app.session_state.reading_run.token
    assert app.query_params["asked"] == token
    other = new_session()
    other.query_params["asked"] = token
    other.switch_page(PAGE).run()
    assert other.header[0].value == app.header[0].value


@pytest.mark.rest
def test_cancelling_keeps_what_is_done_and_the_rest_is_asked_later(app: AppTest) -> None:
    reached, go = threading.Event(), threading.Event()

    def script(call: Call) -> Say:
        if call.number == 9:
            reached.set()
        if call.number >= 9:
            go.wait(20)
        return perfect(PLAN)(call)  # type: ignore[return-value]

    with serving(script) as server:
        switch_on(app, server.url)
        app.button(key="reading_start").click().run()
        assert reached.wait(20)
        app.switch_page("compare.py").run()
        app.switch_page(PAGE).run()
        app.button(key="reading_cancel").click().run()
        go.set()
        finish(app)
        kept = len(server.calls)
        assert app.warning[0].value == f"Stopped as you asked. {kept} answers of 40 are kept."
        open_tab(app, "Ask", "reading")
        assert app.button(key="reading_start").label.startswith(
            f"Send the other {40 - kept} requests"
        )
        press(app)

    assert len(server.calls) == 40
    assert app.success[0].value.endswith("40 answers.")


@pytest.mark.rest
def test_an_error_of_ours_keeps_the_answers_before_it(
    app: AppTest, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(endpoint: Endpoint, prompt: str, answer_tokens: int) -> Reply:
        if len(server.calls) == 9:
            raise KeyError(KEY)
        return asked(endpoint, prompt, answer_tokens)

    asked = Endpoint.ask
    monkeypatch.setattr(Endpoint, "ask", ask)
    switch_on(app, server.url)
    app.number_input(key="reading_concurrency").set_value(1).run()
    press(app)
    assert app.warning[0].value == "KeyError. 9 answers of 40 are kept."


@pytest.mark.rest
def test_the_key_is_in_the_request_and_nowhere_else(app: AppTest) -> None:
    def script(call: Call) -> Say | Refuse:
        return Say(f"It is {KEY}") if call.number < 5 else Refuse(400, f"bad {KEY}")

    with serving(script) as server:
        switch_on(app, server.url)
        press(app)
        assert server.calls[0].headers["authorization"] == f"Bearer {KEY}"

    kept = repr(app.session_state)
    assert kept.count(KEY) == kept.count(f"'reading_key': '{KEY}'") == 1
    assert KEY not in " ".join(words_of(app))
    assert KEY not in str(app.query_params)
    assert KEY.encode() not in app.session_state.reading_run.file
    assert not any(name.startswith("reading") for name in OPTIONS)


@pytest.mark.rest
def test_a_wrong_key_is_one_sentence_and_one_request(app: AppTest) -> None:
    with serving(lambda call: Refuse(401, "no such key")) as server:
        switch_on(app, server.url)
        press(app)

    assert len(server.calls) == 1
    assert app.error[0].value.endswith("refuses the key: 401, no such key.")
    assert "asked" not in app.query_params


@pytest.mark.rest
def test_the_file_of_a_run_opens_and_any_other_is_refused(app: AppTest) -> None:
    run = AskedRun(about(), [record(number, name) for number in range(20) for name in PLAN.formats])
    open_tab(app, "Ask", "reading")
    app.file_uploader(key="reading_upload").set_value(("no.parquet", b"PAR1 not", "")).run()
    assert app.error[0].value.startswith("no.parquet cannot be opened: The file is not a Parquet")

    table = pq.read_table(io.BytesIO(to_parquet(run)))
    forged = io.BytesIO()
    pq.write_table(table.cast(table.schema.set(0, pa.field("question", pa.string()))), forged)
    app.file_uploader(key="reading_upload").set_value(("x.parquet", forged.getvalue(), "")).run()
    assert app.error[0].value.startswith("x.parquet cannot be opened: The file is no run")

    app.file_uploader(key="reading_upload").set_value(("my.parquet", to_parquet(run), "")).run()
    assert app.header[0].value == f"small read TOON better (+100.0 points) than {COMPACT}"
    assert table_with(app, "Points")["Points"].tolist() == ["\u2013", "+100.0"]
    wrong = short_table_with(app, "The model said").to_numpy().tolist()
    question = "What is `vip` of the record in `people` whose `id` is 103?"
    assert wrong[0] == [question, COMPACT, "false", "no idea"]


@pytest.mark.rest
def test_a_server_for_others_asks_no_address_that_is_not_listed(
    app: AppTest, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch_on(app, server.url)
    monkeypatch.setenv("TOON_HOSTS", "lab.example.org")
    app.button(key="reading_start").click().run()
    assert "Asking is off at this server." in app.info[0].value
    assert not app.text_input

    monkeypatch.setenv("TOON_ASK_URLS", "https://api.example.org/v1")
    app.run()
    assert app.selectbox(key="reading_url").options == ["https://api.example.org/v1"]
    assert server.calls == []
