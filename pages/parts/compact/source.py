"""Which records a panel works on: those of the playground, or bundled ones."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import streamlit as st

from pages.parts import cached, payload
from pages.parts.compact import measured
from pages.parts.given import Given
from toon.compact.relative import instant, read_time, utc_now, zone_of
from toon.records.store import SAMPLE_NOW

PLAYGROUND: Final = "playground"


def label(name: str) -> str:
    """What a choice of records is called."""
    if name == PLAYGROUND:
        return "Payload of the playground"
    return f"Bundled {name.replace('-', ' ')}"


def given() -> Given:
    """The payload of the playground, whether it can be read or not."""
    payload.start()
    source = st.session_state.source
    indent = int(st.session_state.get("indent") or 2)
    return Given(source["side"], source["text"], indent, st.session_state.get("strict", True))


def unread(text: Given, key: str) -> str:
    """Why the payload is not looked at, "" if it may be; a large one has to be asked for."""
    if not cached.readable(text.side, text.text, "comma", text.indent, text.strict):
        return "it cannot be read as it is. Mend it in the playground first"
    if len(text.text) <= payload.LIVE_LIMIT or st.session_state.get(f"large_{key}") == text.text:
        return ""
    place = st.empty()
    if not place.button("Read the large payload of the playground", key=f"read_large_{key}"):
        return f"it is large, {len(text.text):,} characters, and is read when you ask"
    st.session_state[f"large_{key}"] = text.text
    place.empty()
    return ""


def clock() -> tuple[str, str]:
    """The controls for the clock and its zone: both texts, "" where nothing is set."""
    now = st.text_input(
        "Now",
        key="compact_now",
        persist_state="session",
        placeholder="2026-02-18T14:30:00Z",
        help="What ages such as 3d ago are told from. Empty: the clock of the bundled records, "
        "or this computer's for your own.",
        width=210,
    )
    zone = st.text_input(
        "Time zone",
        key="compact_tz",
        persist_state="session",
        placeholder="as written",
        help="An IANA name such as Europe/Madrid: tz= of the query. Empty: times as written.",
        width=170,
    )
    return (now or "").strip(), (zone or "").strip()


def moment(now: str, *, bundled: bool) -> str | None:
    """The time that ``now`` sets, as text that can be read again; None if it is no time.

    Without one, bundled records have a clock of their own, and others this computer's, which is
    told to the minute so that figures hold for as long.
    """
    if now:
        return now if read_time(now) is not None else None
    time = SAMPLE_NOW if bundled else utc_now().replace(second=0, microsecond=0)
    return time.isoformat()


def explain_moment(now: str) -> None:
    """Says that ``now`` is no time, without a word of it as markup."""
    st.error("Now is not a timestamp. Write it as 2026-02-18T14:30:00Z.")
    st.code(now, language=None)


def time_of(now: str, tz: str) -> datetime:
    """``now`` as a time with an offset: its own, else that of the zone, else UTC.

    Raises:
        QueryError: no zone has that name.
    """
    time = read_time(now)
    assert time is not None  # only what ``moment`` gave comes here
    return instant(time, zone_of(tz or None))


def found_in_playground(key: str) -> dict[str, Any]:
    """What the panel ``key`` finds in the payload.

    ``unread``, why it is not looked at, or ""; its ``domain``, or None and the ``reason``;
    ``is_new``, whether this panel has found something else last time.
    """
    text = given()
    reason = unread(text, key)
    found = {"domain": None, "reason": reason} if reason else measured.found(text)
    seen = f"compact_{key}_seen"
    is_new = st.session_state.get(seen) != (text, found["domain"])
    st.session_state[seen] = text, found["domain"]
    return {**found, "unread": reason, "is_new": is_new}
