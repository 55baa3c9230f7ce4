"""Whom this server is for, and where what somebody gives it goes."""

from __future__ import annotations

import os

import streamlit as st

from toon.http.lock import Lock, lock_for


def lock() -> Lock:
    """The lock of this server."""
    return lock_for(st.get_option("server.address"), os.environ)


def is_own() -> bool:
    """Whether the server is its user's own: on loopback, and no setting names another host."""
    found = lock()
    return not (found.is_for_others or found.hosts)


def where_texts_go() -> str:
    """A sentence about what somebody pastes or uploads."""
    if lock().is_for_others:
        return "What you give it goes to this server and nowhere else."
    return "Nothing leaves this machine unasked."
