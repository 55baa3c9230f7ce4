"""What a part of a page says that fails: in its own place, and the other parts stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import count
from typing import Final, ParamSpec

import streamlit as st
from streamlit.errors import FragmentHandledException

from pages.parts.browser import KEPT
from pages.parts.markdown import escape_markdown
from pages.parts.patches import show_failure
from toon.bounded import Exceeded
from toon.errors import RunError

Parameters = ParamSpec("Parameters")

FAULT: Final = (
    f"This part of the page failed; the server's log says where. {KEPT} Try again, or open "
    "another text from History."
)
#: Two parts may fail in one run, and a button needs a name of its own.
_NUMBERS: Final = count()


def say(error: Exception) -> bool:
    """Says where the page is drawn that it failed; True, for Streamlit shows nothing else then.

    Of the error nothing is said, because it may quote a text or a path; Streamlit has logged it.
    """
    st.error(FAULT)
    st.button("Try again", key=f"fault_{next(_NUMBERS)}")
    return True


@contextmanager
def counting(what: str = "Counting tokens…") -> Iterator[None]:
    """Says that figures are on their way; where there are none, says why and stops the page."""
    try:
        with st.spinner(what, show_time=True):
            yield
    except (RuntimeError, ValueError) as error:  # no such tokenizer, a limit, too deep nesting
        st.error(escape_markdown(str(error)))
        st.stop()


def apart(draw: Callable[Parameters, object]) -> Callable[Parameters, None]:
    """Draws a part; where it fails, meets a limit or a damaged run, that is said instead.

    A fragment that reruns alone says so by itself, except for limits and runs: it reruns without
    what is around it, and so needs its own ``apart``.
    """

    @wraps(draw)
    def drawn(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        try:
            draw(*args, **options)
        except (Exceeded, RunError) as error:
            st.error(f"{escape_markdown(str(error))}.")
        except FragmentHandledException:
            pass  # a fragment has said so
        except Exception as error:
            show_failure(error)

    return drawn
