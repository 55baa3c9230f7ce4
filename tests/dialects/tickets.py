"""Random tickets, what is left of them after a round trip, and examples."""

from datetime import date
from typing import Any

from hypothesis import strategies as st

from tests.strategies import strings
from toon.dialects.ticket.grammar import DETAIL_KEYS, ENUMS, to_utc
from toon.evidence.claims import CLAIMS

FIRST: dict[str, Any] = CLAIMS[0].value
FIRST_TEXT = (
    'TOON/1 T{id:myapp-001,t:"Fix auth bug",s:ip,p:h,typ:bug,lbl:[auth,security],'
    "ca:2024-01-15,ua:2024-01-15T10:00:00Z}"
)
THIRD: dict[str, Any] = {
    "id": "myapp-003",
    "project_id": "myapp",
    "title": "Fix session expiry",
    "status": "in_progress",
    "priority": "high",
    "type": "bug",
    "exec_mode": "sequential",
    "exec_order": 2,
    "labels": ["auth", "needs review"],
    "parent_id": "myapp-001",
    "children": ["myapp-004", "myapp-005"],
    "description": 'TTL is not reset.\nSee "RFC"',
    "assignee": "ana",
    "comments": [
        {"author": "llm", "body": "Root cause: TTL, fixed", "created_at": "2024-01-15T10:10:59Z"}
    ],
    "links": [{"from_id": "myapp-003", "to_id": "myapp-015", "link_type": "blocks"}],
    "created_at": "2024-01-15T08:00:00Z",
    "updated_at": "2024-01-15T10:05:22.123456789Z",
}
THIRD_HEAD = (
    'T{id:myapp-003,t:"Fix session expiry",s:ip,p:h,typ:bug,em:seq,ord:2,'
    'lbl:[auth,"needs review"],par:myapp-001,ch:[myapp-004,myapp-005]'
)
THIRD_TAIL = ",ca:2024-01-15,ua:2024-01-15T10:05:22.123456789Z}"
THIRD_DETAIL = (
    r',d:"TTL is not reset.\nSee \"RFC\"",as:ana'
    ',cmt:[C{a:llm,t:"Root cause: TTL, fixed",ts:2024-01-15T10:10}]'
    ",lnk:[L{f:myapp-003,t:myapp-015,k:blk}]"
)

texts = st.one_of(
    strings,
    st.sampled_from(["[WIP]", "a]b", "]", "[", "ip", "par", "h", "T{", "x:y", "007", "T", " a "]),
)
filled = texts.filter(bool)
zones = st.sampled_from(["Z", "+00:00", "-05:00", "+13:45", "-11:59"])


@st.composite
def times(draw: st.DrawFn) -> str:
    """A time of the grammar, with a zone if it has a time of day."""
    day = draw(st.dates(date(2, 1, 1), date(9998, 1, 1))).isoformat()
    clock = draw(st.times().map(lambda time: time.isoformat()[:8]))
    fraction = draw(st.sampled_from(["", ".5", ".123456789", ".000"]))
    return draw(
        st.sampled_from(
            [day, f"{day}T{clock}{fraction}{draw(zones)}", f"{day}T{clock[:5]}{draw(zones)}"]
        )
    )


def words(domain: str) -> st.SearchStrategy[str]:
    return st.sampled_from(list(ENUMS[domain].values()))


comments = st.fixed_dictionaries({"author": texts, "body": texts, "created_at": times()})
links = st.fixed_dictionaries({"from_id": texts, "to_id": texts, "link_type": words("link_type")})
tickets = st.fixed_dictionaries(
    {"id": texts, "title": texts},
    optional={
        "status": words("status"),
        "priority": words("priority"),
        "type": words("type"),
        "exec_mode": st.just("sequential"),
        "exec_order": st.integers(),
        "labels": st.lists(texts, min_size=1, max_size=4),
        "parent_id": filled,
        "children": st.lists(texts, min_size=1, max_size=3),
        "description": filled,
        "assignee": filled,
        "comments": st.lists(comments, min_size=1, max_size=2),
        "links": st.lists(links, min_size=1, max_size=2),
        "created_at": times(),
        "updated_at": times(),
    },
)


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """A board without empty buckets, whose tickets have the status of their bucket, or none."""
    buckets = {}
    for status in draw(st.lists(words("status"), unique=True)):
        held = draw(st.lists(tickets, min_size=1, max_size=2))
        buckets[status] = [t | {"status": status} if "status" in t else t for t in held]
    return {"board": buckets}


payloads = st.one_of(
    tickets,
    st.lists(tickets, max_size=4),
    boards(),
    st.just({"ok": True}),
    st.fixed_dictionaries({"code": texts}, optional={"message": texts}).map(
        lambda error: {"error": error}
    ),
)


def normalise(ticket: dict[str, Any], full: bool) -> dict[str, Any]:
    """What is left of ``ticket`` after a round trip."""
    kept = {key: item for key, item in ticket.items() if full or key not in DETAIL_KEYS}
    if "created_at" in kept:
        kept["created_at"] = to_utc(kept["created_at"], "date")
    if "comments" in kept:
        kept["comments"] = [
            comment | {"created_at": f"{to_utc(comment['created_at'], 'minute')}:00Z"}
            for comment in kept["comments"]
        ]
    return kept


def normalise_payload(value: Any) -> Any:
    """What is left of ``value`` after a round trip: lists and boards lose their details."""
    if isinstance(value, list):
        return [normalise(ticket, full=False) for ticket in value]
    if "board" in value:
        buckets = value["board"].items()
        return {"board": {name: [normalise(t, full=False) for t in held] for name, held in buckets}}
    return normalise(value, full=True) if "id" in value else value
