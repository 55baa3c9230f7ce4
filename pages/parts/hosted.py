"""How this server is hosted: for its own user or for others, and where their texts go."""

import os

import streamlit as st

from toon.http.lock import Lock, lock_for


def lock() -> Lock:
    """Return who may use this server (hosts, token), by its address and environment variables."""
    return lock_for(st.get_option("server.address"), os.environ)


def is_own() -> bool:
    """Return whether the server is for its own user alone: on loopback, with no other host set."""
    server = lock()
    return not (server.is_for_others or server.hosts)


def describe_privacy() -> str:
    """Return the sentence that says where pasted and uploaded texts go."""
    if lock().is_for_others:
        return "What you give it goes to this server and nowhere else."
    return "Nothing leaves this machine unasked."
