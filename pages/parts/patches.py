"""Patches of Streamlit and Altair, and uses of their private functions.

Each was tried with Streamlit 1.67 and Altair 6.3; ``tests/pages/test_patches.py`` fails when one is
not needed any more.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Final

from altair.utils import schemapi
from streamlit import config
from streamlit.error_util import handle_user_script_exception
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import get_script_run_ctx

from toon import colours

#: Streamlit's options of a theme, with the names of their colours.
_THEME: Final = {
    "primaryColor": "accent",
    "backgroundColor": "paper",
    "secondaryBackgroundColor": "plate",
    "textColor": "ink",
    "borderColor": "rule",
    "codeBackgroundColor": "code",
    "codeTextColor": "ink",
    "greenTextColor": "saves-text",
    "redTextColor": "costs-text",
}


def keep_order() -> None:
    """Patch Streamlit to send everything that was written before a fragment reruns.

    Streamlit drops unsent messages of the same fragment, and still sends later ones of other
    fragments. The browser is then told to write at a place that does not exist ("Bad delta path
    index"), and draws nothing more. A faster connection would have got all of them.
    """
    clear = ForwardMsgQueue.clear

    @wraps(clear)
    def clear_all(
        queue: ForwardMsgQueue,
        retain_lifecycle_msgs: bool = False,
        fragment_ids_this_run: list[str] | None = None,
    ) -> None:
        no_fragment = None if fragment_ids_this_run is None else list[str]()
        clear(queue, retain_lifecycle_msgs, no_fragment)

    ForwardMsgQueue.clear = clear_all  # type: ignore[method-assign, assignment]


def colour_theme() -> None:
    """Set the colours of Streamlit's two themes from :mod:`toon.colours`."""
    for mode, kinds in colours.KINDS.items():
        config.set_option(f"theme.{mode}.chartCategoricalColors", list(kinds))
        for option, name in _THEME.items():
            config.set_option(f"theme.{mode}.{option}", colours.PAGE[name][mode])


def show_failure(error: Exception) -> None:
    """Log an error that a part of a page raised, and show it as Streamlit shows a page's error."""
    run = get_script_run_ctx()
    handle_user_script_exception(error, run.on_script_error if run else None)


@contextmanager
def unchecked_charts() -> Iterator[None]:
    """Skip Vega-Lite's validation in a ``with`` block: it takes 20 ms a chart, and tests do it."""
    base = schemapi.SchemaBase
    checked = vars(base)["validate"]
    base.validate = classmethod(lambda *_: None)
    try:
        with schemapi.debug_mode(False):
            yield
    finally:
        base.validate = checked
