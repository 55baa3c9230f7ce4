"""Made-up answers of the tools of two MCP servers, for the sessions of :mod:`tests.homes`."""

import json
from collections.abc import Callable
from random import Random
from typing import Final

_NAMES: Final = ("Ada", "Grace", "Linus", "Barbara", "Ken", "Radia", "Edsger", "Margaret")
_CITIES: Final = ("Lisbon", "Kraków", "Utrecht", "Gent", "Turin", "Aarhus")


def _issues(draw: Random) -> str:
    return json.dumps(
        [
            {
                "number": draw.randrange(1, 900),
                "title": f"Order {draw.randrange(9_000)} is shown as late",
                "state": "open",
                "user": {"login": draw.choice(_NAMES).lower(), "id": draw.randrange(99_999)},
                "labels": [{"name": "billing", "color": "d73a4a"}],
                "comments": draw.randrange(12),
                "created_at": f"2026-10-{draw.randrange(1, 29):02}T09:{draw.randrange(60):02}:00Z",
                "assignee": None,
            }
            for _ in range(draw.randrange(8, 20))
        ]
    )


def _rows(draw: Random) -> str:
    rows = [
        {
            "id": draw.randrange(10_000, 99_999),
            "customer": draw.choice(_NAMES),
            "city": draw.choice(_CITIES),
            "total": draw.randrange(500, 90_000) / 100,
            "paid": draw.random() < 0.7,
            "placed": f"2026-11-{draw.randrange(1, 19):02}",
        }
        for _ in range(draw.randrange(20, 60))
    ]
    return json.dumps({"rows": rows, "rowCount": len(rows)}, ensure_ascii=False)


def _pull(draw: Random) -> str:
    return json.dumps(
        {
            "number": 118,
            "title": "Charge late fees once",
            "state": "open",
            "user": {"login": "grace", "type": "User"},
            "head": {"ref": "late-fees", "sha": f"{draw.getrandbits(160):040x}"},
            "base": {"ref": "main", "sha": f"{draw.getrandbits(160):040x}"},
            "additions": draw.randrange(400),
            "deletions": draw.randrange(200),
            "mergeable": True,
            "requested_reviewers": [{"login": "radia"}],
        },
        indent=2,
    )


def _found(draw: Random) -> str:
    items = [
        {"path": f"src/{draw.choice(('orders', 'fees', 'mail'))}_{n}.py", "score": draw.random(),
         "repository": {"full_name": "ada/shop", "private": True}}
        for n in range(draw.randrange(5, 15))
    ]  # fmt: skip
    return json.dumps({"total_count": len(items), "incomplete_results": False, "items": items})


def _tables(draw: Random) -> str:
    names = ("orders", "customers", "fees", "mails", "items")
    return json.dumps([{"table": name, "rows": draw.randrange(99_999)} for name in names])


ANSWERS: Final[dict[str, Callable[[Random], str]]] = {
    "list_issues": _issues,
    "query": _rows,
    "get_pull_request": _pull,
    "search_code": _found,
    "list_tables": _tables,
    "read": lambda draw: "def late_fee(order):\n    return order.total / 20\n",
    "shell": lambda draw: f"{draw.randrange(40, 90)} passed in 2.1s\n",
}
