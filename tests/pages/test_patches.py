"""What the pages change in Streamlit and Altair, and when each change can go."""

from collections.abc import Callable

import altair as alt
import pandas as pd
import pytest
import streamlit as st
from altair.utils.schemapi import SchemaValidationError
from streamlit import config
from streamlit.errors import StreamlitAPIException
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

from pages.parts.patches import colour_theme, keep_order, show_failure, unchecked_charts
from toon import colours


def _message(fragment: str, *path: int) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    message.delta.fragment_id = fragment
    message.delta.add_block.allow_empty = True
    return message


def _paths_after_rerun(fragments: list[str] | None) -> list[list[int]]:
    """Two fragments wrote one after the other; then those named rerun, or the whole page."""
    queue = ForwardMsgQueue()
    for message in (_message("editor", 0, 3), _message("forms", 0, 4)):
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
    queue.enqueue(_message("editor", 0, 3))
    return [list(message.metadata.delta_path) for message in queue.flush()]


@pytest.fixture(autouse=True)
def unpatch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's own queue: a test that serves the app in this process has mended it."""
    clear = ForwardMsgQueue.clear
    monkeypatch.setattr(ForwardMsgQueue, "clear", getattr(clear, "__wrapped__", clear))


def test_streamlit_writes_to_a_place_that_is_not_there() -> None:
    """Once this fails, ``keep_order`` is not needed any more."""
    assert _paths_after_rerun(["editor"]) == [[0, 4], [0, 3]]


def test_a_place_is_written_before_those_after_it() -> None:
    keep_order()

    assert _paths_after_rerun(["editor"]) == [[0, 3], [0, 4], [0, 3]]


def test_a_rerun_of_the_page_sends_only_itself() -> None:
    keep_order()

    assert _paths_after_rerun(None) == [[0, 3]]


def test_streamlit_lets_nobody_set_its_theme() -> None:
    """Once this fails, ``colour_theme`` can use ``st.set_option``."""
    with pytest.raises(StreamlitAPIException):
        st.set_option("theme.light.redTextColor", "#ff0000")


def test_the_theme_has_the_colours_of_the_kinds() -> None:
    colour_theme()

    for mode, kinds in colours.KINDS.items():
        assert config.get_option(f"theme.{mode}.chartCategoricalColors") == list(kinds)


def _wrong_chart() -> alt.Chart:
    chart: alt.Chart = alt.Chart(pd.DataFrame({"a": [1]})).mark_bar().encode(x=alt.X("a:Q"))
    chart.height = "no height"
    return chart


def test_altair_looks_at_its_schema_unless_told_not_to() -> None:
    """Once the first part fails, ``unchecked_charts`` is not needed any more."""
    with pytest.raises(SchemaValidationError):
        _wrong_chart().to_dict()
    with unchecked_charts():
        assert _wrong_chart().to_dict()["height"] == "no height"


def _messages(show: Callable[[Exception], object], caplog: pytest.LogCaptureFixture) -> list[str]:
    """Who hears of an error that a part of a page has shown so."""

    def part() -> None:
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        run = get_script_run_ctx()
        assert run is not None
        run.on_script_error = lambda _: st.session_state.told.append("the app")
        st.session_state.show(ValueError("nothing"))

    app = AppTest.from_function(part, default_timeout=60)
    app.session_state.told, app.session_state.show = [], show
    app.run()
    logged = ["the log"] if any(record.exc_info for record in caplog.records) else []
    return [*app.session_state.told, *logged]


def test_streamlit_tells_nobody_of_an_error_that_was_caught(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once this fails, ``show_failure`` can be ``st.exception``."""
    assert _messages(st.exception, caplog) == []


def test_a_failure_is_shown_by_the_app_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert _messages(show_failure, caplog) == ["the app", "the log"]
