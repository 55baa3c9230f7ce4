"""Nothing that a file or a text says is obeyed: names of files, groups, keys, agents and errors."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests import hostile
from tests.context.traces import call, task, trace
from tests.pages import test_dashboard, test_dashboard_context
from tests.pages.conftest import open_payload, open_tab
from tests.pages.test_markdown import MARKDOWN
from tests.reading.asked import inspect_log

PAYLOAD = [{text: {"a": [text]}, f"list of {text}": [{text: 1}]} for text in hostile.ALL]


def check(app: AppTest) -> None:
    """Fails where an element that is Markdown holds one of the texts as it is."""
    assert not app.exception
    texts = [str(element.value) for kind in MARKDOWN for element in app.get(kind)]
    texts += [str(item.label) for kind in ("button", "tab", "expander") for item in app.get(kind)]
    assert texts
    assert [text for text in texts if any(mark in text for mark in hostile.MARKUP.values())] == []
    assert [text for text in texts if hostile.CONTROL.search(text)] == []
    assert [
        value for item in app.get("vega_lite_chart") for value in leaks(json.loads(item.proto.spec))
    ] == []


def leaks(spec: Any) -> Iterator[str]:
    """Expressions and addresses of a chart that hold one of the texts."""
    if isinstance(spec, dict):
        for key in ("expr", "calculate", "filter", "test", "href", "url", "signal"):
            value = spec.get(key)
            if isinstance(value, str) and any(mark in value for mark in hostile.ALL):
                yield value
        spec = list(spec.values())
    if isinstance(spec, list):
        for inner in spec:
            yield from leaks(inner)


@pytest.mark.rest
@pytest.mark.parametrize("tab", ["", "Formats", "Compact lines", "Send less", "Models"])
def test_no_key_of_a_payload_is_obeyed(app: AppTest, tab: str) -> None:
    page = "compare" if tab else "playground"
    open_payload(app, json.dumps(PAYLOAD), page, tab, name="".join(hostile.ALL))

    check(app)


@pytest.mark.rest
def test_no_group_file_or_error_of_a_corpus_is_obeyed(app: AppTest) -> None:
    app.switch_page("dashboard.py").run()
    rows = [{"tool": text, "payload": {"a": [{text: 1}] * 3}} for text in hostile.ALL]
    bad = [f'{{"tool": {json.dumps(text)}, "payload": {text}' for text in hostile.MARKUP.values()]
    lines = "\n".join([*map(json.dumps, rows), *bad])
    for name in ("**a** :red[b] <img src=x>.jsonl", "\x1b[31m\u202e$x$.jsonl"):
        test_dashboard.upload(app, name, lines.encode())
        check(app)
        test_dashboard.finish(app)
        assert "32 payloads, 20 bad records" in app.caption[0].value
        for tab in [tab.label for tab in app.tabs]:
            open_tab(app, tab, "dashboard")
            check(app)


@pytest.mark.rest
def test_no_answer_of_a_model_and_no_log_is_obeyed(app: AppTest) -> None:
    def script(row: dict[str, str], format: str) -> str | None:
        text = hostile.ALL[int(row["id"].partition("-")[2]) % len(hostile.ALL)]
        row.update(kind=text, question=text, answer=text)
        return f"{text}{format}"

    app.switch_page("evidence.py").run()
    logs = [inspect_log(format, script) for format in ("json-compact", "toon", hostile.ALL[0])]
    for log in logs:
        log["eval"]["model"] = "".join(hostile.MARKUP.values())
        log["samples"][0]["error"] = {"message": hostile.ALL[0]}
        log["samples"][0]["scores"] = None
        log["status"] = "cancelled"
    for name in ("**a** :red[b] <img src=x>.json", "\x1b[31m\u202e$x$.json"):
        files = [(name, json.dumps(log).encode(), "") for log in logs]
        app.file_uploader(key="reading_upload").set_value(files).run()
        check(app)
        assert app.session_state.reading_refused == ""
        app.file_uploader(key="reading_upload").set_value([(name, b"no log", "")]).run()
        check(app)


@pytest.mark.rest
def test_no_agent_tool_or_task_of_a_run_is_obeyed(app: AppTest) -> None:
    app.switch_page("dashboard.py").run()
    steps = [
        step
        for text in hostile.ALL
        for step in (
            task(text, text, text),
            call(text, {text: [{text: text}]}, {text: text}, agent=text),
        )
    ]
    run = trace(*steps, name="".join(hostile.MARKUP.values()))
    test_dashboard_context.upload(app, "**a** :red[b] <img src=x>.json", json.dumps(run).encode())
    check(app)
    assert len(test_dashboard_context.steps_of(app)) == 2 * len(hostile.ALL)
