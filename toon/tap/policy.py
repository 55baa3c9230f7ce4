"""The policy that the tap applies: which tool's results are sent in which format.

The dashboard writes it of the groups that are worth a change; it names lossless formats alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from toon.formats import RECOMMENDED

_MARK: Final = "toon_policy"
_VERSION: Final = 1


def write_policy(formats: Mapping[str, str], source: str) -> str:
    """The policy that sends each group in its format, made of the run ``source``, as JSON."""
    policy = {_MARK: _VERSION, "made_of": source, "groups": dict(formats)}
    return json.dumps(policy, ensure_ascii=False, indent=2) + "\n"


def read_policy(text: str) -> dict[str, str]:
    """The format of each group.

    Raises:
        ValueError: It is no policy, or names a format that is not proven to be lossless.
    """
    policy = json.loads(text)
    if not isinstance(policy, dict) or policy.get(_MARK) != _VERSION:
        raise ValueError("not a policy that the dashboard wrote")
    groups = policy.get("groups")
    if not isinstance(groups, dict) or not groups:
        raise ValueError("it names no group to send otherwise")
    for group, format in groups.items():
        if format not in RECOMMENDED:
            raise ValueError(f"{group} is to be sent as {format}, which is not recommended")
    return {str(group): str(format) for group, format in groups.items()}
