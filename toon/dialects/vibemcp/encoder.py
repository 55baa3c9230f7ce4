"""The writer of VibeMCP's output, in either profile."""

from __future__ import annotations

from typing import Any

from toon.dialects.vibemcp.grammar import LOSSLESS, LOSSY, Profile
from toon.dialects.vibemcp.lossless import write_lossless
from toon.dialects.vibemcp.lossy import write_lossy


def encode(value: Any, *, profile: Profile = LOSSY) -> str:
    """Write a JSON value as VibeMCP's tools do, or in the profile that loses nothing.

    A list of objects is a table, any other list has one item per line, an object is a detail, a
    scalar is its text. If an object's only key holds a list or an object and can be a label, that
    key is the label. Otherwise a list is labelled ``items`` and an object ``item``.

    Args:
        value: any JSON value, nested at most 256 levels deep.
        profile: ``LOSSY``, as deployed, or ``LOSSLESS``.

    Raises:
        Unfit: The lossy profile has no form for the value: a list of objects and others, a name
            that would break its line, a scalar that would read as something else, or a table with
            hardly any value in it.
        EncodeError: The value is not JSON, holds a lone surrogate, or is nested too deep.
    """
    return write_lossless(value) if profile == LOSSLESS else write_lossy(value)[0]


def losses(value: Any) -> list[str]:
    """Return a phrase for each loss of the lossy profile, as in ``2 arrays joined with |``.

    Raises:
        EncodeError: As for :func:`encode`.
    """
    return write_lossy(value)[1]
