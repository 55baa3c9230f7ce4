"""What the pages change in Streamlit and Altair, or ask of what those keep to themselves.

Each was tried with Streamlit 1.67 and Altair 6.3; ``tests/pages/test_patches.py`` says when one is
not needed any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps

from altair.utils import schemapi
from streamlit import config
from streamlit.error_util import handle_user_script_exception
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import get_script_run_ctx

from toon import colours


def keep_order() -> None:
    """Sends everything that was written before a fragment reruns.

    Streamlit drops what the same fragment wrote and was not sent yet, and still sends what other
    fragments wrote after it. The browser is then told to write at a place that does not exist
    ("Bad delta path index"), and draws nothing more. Sent in full, it is what a faster connection
    would have got.
    """
    clear = ForwardMsgQueue.clear

    @wraps(clear)
    def kept(
        queue: ForwardMsgQueue,
        retain_lifecycle_msgs: bool = False,
        fragment_ids_this_run: list[str] | None = None,
    ) -> None:
        no_fragment = None if fragment_ids_this_run is None else list[str]()
        clear(queue, retain_lifecycle_msgs, no_fragment)

    ForwardMsgQueue.clear = kept  # type: ignore[method-assign, assignment]


def colour_theme() -> None:
    """Sets the theme's colours of kinds and of savings: those of :mod:`toon.colours`."""
    for mode, kinds in colours.KINDS.items():
        config.set_option(f"theme.{mode}.chartCategoricalColors", list(kinds))
        config.set_option(f"theme.{mode}.greenTextColor", colours.SAVES_TEXT[mode])
        config.set_option(f"theme.{mode}.redTextColor", colours.COSTS_TEXT[mode])


def show_failure(error: Exception) -> None:
    """Logs the error of a part that was caught, and shows it as Streamlit shows that of a page."""
    run = get_script_run_ctx()
    handle_user_script_exception(error, run.on_script_error if run else None)


@contextmanager
def unchecked_charts() -> Iterator[None]:
    """Draws charts without a look at Vega-Lite's schema, which takes 20 ms each: tests do that."""
    base = schemapi.SchemaBase
    checked = vars(base)["validate"]
    base.validate = classmethod(lambda *_: None)
    try:
        with schemapi.debug_mode(False):
            yield
    finally:
        base.validate = checked
