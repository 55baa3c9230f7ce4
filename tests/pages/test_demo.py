"""The demo without a browser: what turns it on and off, and that all pages keep working."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import new_session

pytestmark = pytest.mark.slow


def is_on(app: AppTest) -> bool:
    return any(button.key == "leave_demo" for button in app.button)


def test_the_switch_turns_the_demo_on_and_the_button_turns_it_off(app: AppTest) -> None:
    assert not is_on(app)
    app.toggle(key="demo").set_value(True).run()
    assert is_on(app)
    for page in ("compare", "advisor", "dashboard", "playground"):
        app.switch_page(f"{page}.py").run()
        assert is_on(app)

    app.button(key="leave_demo").click().run()
    assert not is_on(app)
    assert app.toggle(key="demo").value is False


def test_the_address_turns_the_demo_on_once() -> None:
    app = new_session()
    app.query_params["demo"] = "true"
    app.run()
    assert is_on(app)
    app.toggle(key="demo").set_value(False).run()
    assert not is_on(app)
