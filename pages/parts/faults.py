"""Messages drawn in place of a part of a page that failed, while the other parts stay."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import count
from typing import Final, ParamSpec

import streamlit as st
from streamlit.errors import FragmentHandledException

from pages.parts.built import KEPT
from pages.parts.markdown import escape_markdown
from pages.parts.patches import show_failure
from toon.bounded import Exceeded
from toon.errors import RunError

Parameters = ParamSpec("Parameters")

FAULT: Final = (
    f"This part of the page failed; the server's log says where. {KEPT} Try again, or open "
    "another text from History."
)
#: Numbers of buttons: two parts may fail in one run, and a button needs its own name.
_NUMBERS: Final = count()


def show_fault(error: Exception) -> bool:
    """Draw a message that a part of the page failed, with Try again; return True: it is handled.

    The error is not shown, because it may quote a text or a path; Streamlit has logged it.
    """
    st.error(FAULT)
    st.button("Try again", key=f"fault_{next(_NUMBERS)}")
    return True


@contextmanager
def counting(label: str = "Counting tokens…") -> Iterator[None]:
    """Show a spinner in a ``with`` block; draw a RuntimeError or ValueError and stop the page."""
    try:
        with st.spinner(label, show_time=True):
            yield
    except (RuntimeError, ValueError) as error:  # no such tokenizer, a limit, too deep nesting
        st.error(escape_markdown(str(error)))
        st.stop()


def guard(draw: Callable[Parameters, object]) -> Callable[Parameters, None]:
    """Wrap a function that draws a part of a page, so that its error is drawn in its place.

    A fragment that reruns alone needs its own ``guard`` for limits and runs: it reruns without this
    wrapper. Other failures it shows itself.
    """

    @wraps(draw)
    def draw_guarded(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        try:
            draw(*args, **options)
        except (Exceeded, RunError) as error:
            st.error(f"{escape_markdown(str(error))}.")
        except FragmentHandledException:
            pass  # the fragment has shown it
        except Exception as error:
            show_failure(error)

    return draw_guarded
