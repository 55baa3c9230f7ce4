"""The savings that the documents of the dialects claim, beside our measurements.

Each claim holds the example of its document as a value, so the figure can be measured again under
any tokenizer. Where a document measured data that was not published, one of our samples replaces
it, and ``reason`` says so.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

from toon import tokenizers
from toon.compact import compact
from toon.formats import FORMATS
from toon.formats.json import JSON_COMPACT, JSON_PRETTY
from toon.limits import DEFAULT_TOKENIZER
from toon.records.store import SAMPLE_NOW, records
from toon.values.fractions import fraction


@dataclass(frozen=True, slots=True)
class Claim:
    """A document's claim that a format saves tokens: the format's ``system``, the words (``says``),
    the example, and the function that writes it in the format.

    ``write`` gives a text of all of ``value``, except for what its format or ``reason`` names.
    ``claimed`` is the signed fraction that the document states, None if it states none; ``reason``
    says why the figures differ.
    """

    system: str
    says: str
    claimed: float | None
    value: Any
    write: Callable[[Any], str]
    reason: str


_JSON: Final = (JSON_COMPACT.name, JSON_PRETTY.name)

_TICKET: Final = {
    "id": "myapp-001",
    "title": "Fix auth bug",
    "status": "in_progress",
    "priority": "high",
    "type": "bug",
    "labels": ["auth", "security"],
    "created_at": "2024-01-15T08:00:00Z",
    "updated_at": "2024-01-15T10:00:00Z",
}

_HOURS: Final = (
    ("08:00", "09:00", 60),
    ("10:30", "12:00", 90),
    ("13:00", "14:00", 60),
    ("15:30", "16:30", 60),
    ("17:00", "18:00", 60),
)
_SLOTS: Final = {
    "slots": [
        {
            "start": f"2026-03-16T{start}:00-04:00",
            "end": f"2026-03-16T{end}:00-04:00",
            "duration_minutes": minutes,
        }
        for start, end, minutes in _HOURS
    ],
    "count": 5,
}

_MESSAGES: Final = {
    "messages": [
        {
            "id": "abc123",
            "subject": "Meeting Tomorrow",
            "from": "john@example.com",
            "date": "2025-12-18",
            "snippet": "Let's meet at 3pm",
        },
        {
            "id": "def456",
            "subject": "Q4 Report",
            "from": "jane@example.com",
            "date": "2025-12-17",
            "snippet": "Please review the attached",
        },
    ]
}

_ITEMS: Final = {
    "items": [{"sku": "A1", "qty": 2, "price": 9.99}, {"sku": "B2", "qty": 1, "price": 14.5}]
}

_FINDINGS: Final = {
    "findings": [
        {
            "area": "autonomous agents",
            "growth": "47%",
            "key_players": ["AutoGPT", "CrewAI", "AgentEnsemble"],
        },
        {"area": "tool use", "growth": "62%", "notable": "function calling standardization"},
    ],
    "market_size": "$4.2B",
    "year": 2025,
}


CLAIMS: Final[Sequence[Claim]] = (
    Claim(
        "TOON/1 tickets (Orkestra)",
        "46 % fewer tokens for the ticket in its demo, 54 to 29",
        -0.46,
        _TICKET,
        FORMATS["ticket"].dumps,
        "its counter collapses the blanks of the JSON and divides characters by four; no "
        "tokenizer does that. TOON/1 cuts created_at to its date",
    ),
    Claim(
        "Pipe tables (Temporal Cortex)",
        "40 % fewer tokens for five free slots, 87 to 52",
        -0.40,
        _SLOTS,
        lambda value: re.sub("(?m)^ +", "", FORMATS["pipe"].dumps(value)),
        "the text is the document's own, which has no indentation; timestamps take most of the "
        "tokens in both forms; the figures printed are about a third of any real count",
    ),
    Claim(
        "VibeMCP",
        "55 % fewer tokens for two messages, 85 to 38",
        -0.55,
        _MESSAGES,
        FORMATS["vibemcp"].dumps,
        "both texts measured here hold the list's label, messages; the document counts against "
        f"{JSON_PRETTY.label}, and counts fewer tokens in the result than tokenizers do",
    ),
    Claim(
        "ContextFormat (AgentEnsemble)",
        "60 % fewer tokens for two items, 47 to 19",
        -0.60,
        _ITEMS,
        FORMATS["toon"].dumps,
        "two rows save little more than the header of their table costs",
    ),
    Claim(
        "ContextFormat (AgentEnsemble)",
        "significantly fewer tokens for a report of findings",
        None,
        _FINDINGS,
        FORMATS["toon"].dumps,
        "the rows differ in their fields, so there is no table; the document prints a text that "
        "drops a field, and no encoder writes it",
    ),
    Claim(
        "Compact lines (Micelclaw)",
        "77 % fewer tokens for three events, 1,200 to 280",
        -0.77,
        {"data": records("events", 3), "meta": {"total": 3, "limit": 20, "offset": 0}},
        lambda value: JSON_COMPACT.dumps(compact(value["data"], "events", now=SAMPLE_NOW)),
        "three events from our samples replace theirs; most of the saving comes from dropped "
        "fields, which JSON can drop as well",
    ),
)


class ClaimCosts(TypedDict):
    """The tokens of a claim's example in the claimed format, and as JSON, by one tokenizer.

    ``vs`` has the signed fraction against each JSON baseline: negative is fewer tokens.
    """

    tokens: int
    json: dict[str, int]  # tokens of the same value in compact and in indented JSON
    vs: dict[str, float | None]  # signed fractions against them, negative = fewer tokens


def measure_claims(tokenizer: str = DEFAULT_TOKENIZER) -> list[ClaimCosts]:
    """Measure the example of each claim in ``CLAIMS`` with a tokenizer; return all, in order."""
    count, measured = tokenizers.get(tokenizer).count, list[ClaimCosts]()
    for claim in CLAIMS:
        tokens = count(claim.write(claim.value))
        json = {name: count(FORMATS[name].dumps(claim.value)) for name in _JSON}
        vs = {name: fraction(tokens, baseline) for name, baseline in json.items()}
        measured.append({"tokens": tokens, "json": json, "vs": vs})
    return measured
