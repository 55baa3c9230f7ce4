"""Compare: a maker's service counts, once a button is pressed that says what goes where."""

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.markdown import escape_markdown
from tests.pages.conftest import open_payload
from tests.pages.static import short_table_with, short_tables
from tests.pages.test_markdown import MARKDOWN
from tests.services.server import KEY, Server, serving
from tests.words import COMPACT
from toon.costs.models import default_model
from toon.playground.state import OPTIONS
from toon.services import SERVICES
from toon.tokenizers import get

FOLDS = ("service",)
PAYLOAD = '{"people": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]}'
OWN_KEY = "PLANTED-of-the-server-0123"


@pytest.fixture
def openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving("openai", get("o200k_base").count) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base)
        yield server


def key_field(app: AppTest) -> Any:
    """The field of the key, which each service has for itself."""
    return next(field for field in app.text_input if str(field.key).startswith("service_key_"))


def send(app: AppTest, key: str = KEY) -> None:
    key_field(app).set_value(key)
    app.button(key="service_send").click().run()
    assert not app.exception


def words_of(app: AppTest) -> str:
    """Everything that the page says, in fields too."""
    kinds = (*MARKDOWN, "code", "table", "html")
    elements = [element for kind in kinds for element in app.get(kind)]
    return "\n".join(str(getattr(element, "value", element)) for element in elements)


def test_nothing_is_sent_before_the_press_and_the_page_says_what_will_be(
    app: AppTest, openai: Server
) -> None:
    open_payload(app, PAYLOAD, "compare", "Models")

    (words,) = (text.value for text in app.markdown if text.value.startswith("**Sends "))
    assert words.startswith("**Sends 3 texts of ")
    assert words.endswith(
        f"{escape_markdown(f' alone, to {openai.base}')}, with your key, and to nobody else.**"
        " Nothing is sent before you press."
    )
    field = key_field(app).proto
    assert field.type == field.PASSWORD
    assert app.button(key="service_send").label == "Send to OpenAI"
    app.button(key="service_send").click().run()
    assert app.error[0].value == escape_markdown("OpenAI needs a key: set OPENAI_API_KEY.")
    assert openai.calls == []


def test_each_text_has_its_line_and_is_asked_for_once(app: AppTest, openai: Server) -> None:
    open_payload(app, PAYLOAD, "compare", "Models")
    send(app)

    assert openai.texts[:2] == ["x", PAYLOAD]
    table = short_table_with(app, "OpenAI")
    assert table["Text"].tolist()[:2] == ["your JSON", COMPACT]
    assert table["Here"].tolist() == table["OpenAI"].tolist()
    assert set(table["Difference"]) == {"the service counts the same"}
    assert any("6 tokens of each call taken off" in element.value for element in app.caption)
    asked = len(openai.calls)
    send(app)
    assert len(openai.calls) == asked

    open_payload(app, "[1, 2]", "compare", "Models")
    assert not any("OpenAI" in table.columns for table in short_tables(app))


def test_a_model_without_a_public_tokenizer_has_the_services_figure_alone(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_payload(app, PAYLOAD, "compare", "Models")
    app.selectbox(key="model").select("grok-4.5").run()
    assert app.selectbox(key="service_of_Grok 4.5").value == "xai"
    assert app.text_input(key="service_model_Grok 4.5_xai").value == "grok-4.5"
    with serving("xai", lambda text: 5) as server:
        monkeypatch.setenv("XAI_BASE_URL", server.base)
        send(app)

    table = short_table_with(app, "xAI")
    assert list(table.columns) == ["Text", "xAI"]
    assert set(table["xAI"]) == {5}


def test_a_failure_is_said_and_no_other_figure_stands_for_it(app: AppTest, openai: Server) -> None:
    openai.script = lambda number, call: openai.refuse(401, f"{KEY} is no key")
    open_payload(app, PAYLOAD, "compare", "Models")
    send(app)

    assert app.error[0].value == escape_markdown(
        f"OpenAI at {openai.base} refuses (401): … is no key."
    )
    assert not any("OpenAI" in table.columns for table in short_tables(app))


@pytest.mark.rest
@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("status", [200, 500])
def test_a_key_is_in_the_request_and_nowhere_else(
    name: str,
    status: int,
    app: AppTest,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(name) as server:
        if status != 200:
            server.script = lambda number, call: server.refuse(status, str(call.headers))
        service = SERVICES[name]
        monkeypatch.setenv(service.base_variable, server.base)
        monkeypatch.setenv(service.keys[0], OWN_KEY)
        open_payload(app, PAYLOAD, "compare", "Models")
        app.selectbox(key=f"service_of_{default_model().label}").select(name).run()
        app.text_input(key=f"service_model_{default_model().label}_{name}").set_value("m-1")
        send(app, "")
        own = len(server.calls)
        monkeypatch.setitem(app.session_state, "service_kept", {})
        send(app)

    sent: list[Any] = [" ".join(call.headers.values()) for call in server.calls]
    assert all(OWN_KEY in headers for headers in sent[:own])
    assert all(KEY in headers for headers in sent[own:])
    assert 0 < own < len(sent)
    kept = repr(app.session_state)
    assert kept.count(KEY) == len(re.findall(rf"'service_key_\w+': '{KEY}'", kept)) == 1
    texts = [words_of(app), str(app.query_params), caplog.text, *capfd.readouterr()]
    assert not any(secret in text for text in texts for secret in (KEY, OWN_KEY))
    assert OWN_KEY not in kept
    assert not any(option.startswith("service") for option in OPTIONS)

    app.switch_page("playground.py").run()
    assert KEY not in repr(app.session_state)


def test_the_key_of_a_server_for_others_is_its_operators_alone(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = SERVICES["openai"]
    monkeypatch.setenv(service.keys[0], OWN_KEY)
    monkeypatch.setenv("TOON_HOSTS", "lab.example.org")
    with serving("openai") as server:
        monkeypatch.setenv(service.base_variable, server.base)
        open_payload(app, PAYLOAD, "compare", "Models")
        send(app, "")

    assert server.calls == []
    assert service.keys[0] not in key_field(app).placeholder
