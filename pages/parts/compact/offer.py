"""Which records a panel works on, those of the playground or bundled ones; and the clock."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st

from pages.parts import payload
from pages.parts.payload import ask_once, ask_value
from pages.parts.samples import spaced
from toon.bounded import Exceeded
from toon.compact.relative import read_time, utc_now
from toon.formats.base import NotApplicable
from toon.formats.compact import domain_in
from toon.limits import PAGE_CHARACTERS
from toon.playground.panes import Pane
from toon.records.store import SAMPLE_NOW

PLAYGROUND: Final = "playground"
#: The reason that stands for a payload with an error in its text.
UNREADABLE: Final = "it cannot be read"


class Offer(NamedTuple):
    """The payload of the playground, as far as a panel may use it.

    ``data`` is None if the payload cannot be read or is large and not asked for; ``domain`` is
    None if its records have no lines. ``reason`` says why. ``is_new`` says that the panel saw
    another payload last time.
    """

    data: Pane | None
    domain: str | None
    reason: str
    is_new: bool


def offer_payload(panel: str) -> Offer:
    """What the panel of this name can use of the payload; a large one has to be asked for."""
    payload.start()
    data, domain, reason = None, None, ""
    try:
        data = payload.read()
        if data is None:
            reason = UNREADABLE
        elif len(data.text) > PAGE_CHARACTERS and not ask_once(
            f"read_large_{panel}", data.text, "Read the large payload of the playground"
        ):
            reason = f"it is large, {len(data.text):,} characters, and is read when you ask"
            data = None
        else:
            domain = ask_value(data, domain_in)
    except NotApplicable as error:
        reason = str(error)
    except Exceeded as error:
        data, reason = None, str(error)
    seen, shown = f"compact_{panel}_seen", (data and data.key, domain)
    is_new = st.session_state.get(seen) != shown
    st.session_state[seen] = shown
    return Offer(data, domain, reason, is_new)


def source_label(name: str) -> str:
    """What a choice of records is called."""
    if name == PLAYGROUND:
        return "Payload of the playground"
    return f"Bundled {spaced(name)}"


def choose_clock() -> tuple[str, str]:
    """The controls for the clock and its zone: both as text, "" where nothing is set."""
    with st.popover("Clock"):
        now = st.text_input(
            "Now",
            key="compact_now",
            persist_state="session",
            placeholder="2026-02-18T14:30:00Z",
            help="Ages such as 3d ago are counted back from this time. If it is empty, bundled "
            "records use their own clock, and your own records use this computer's.",
        )
        zone = st.text_input(
            "Time zone",
            key="compact_tz",
            persist_state="session",
            placeholder="as written",
            help="An IANA name such as Europe/Madrid: tz= of the query. If it is empty, times stay "
            "as written.",
        )
    return (now or "").strip(), (zone or "").strip()


def read_clock(now: str, *, bundled: bool) -> str | None:
    """The time that ``now`` sets, as text that can be parsed; None, and an error, if it sets none.

    If ``now`` is empty, this is the clock of the bundled records, or else this computer's, rounded
    down to the minute so that figures stay the same for as long.
    """
    if not now:
        time = SAMPLE_NOW if bundled else utc_now().replace(second=0, microsecond=0)
        return time.isoformat()
    if read_time(now) is not None:
        return now
    st.error("Now is not a timestamp. Write it as 2026-02-18T14:30:00Z.")
    st.code(now, language=None)
    return None
