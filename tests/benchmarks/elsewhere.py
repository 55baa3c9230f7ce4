"""Payloads of many kinds that no estimator was fitted to; the same in every run.

Services count none of them. Public tokenizers count them all, so that a method of estimating can be
tried on the tokenizers that one knows.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from tests.tokenizers.kinds import KINDS as TEXTS

#: Rows of the payloads of a kind, or what its maker takes for them: from a few tokens to thousands.
SIZES: Final = (1, 2, 4, 7, 12, 20, 35, 60, 100, 160)

_WORDS: Final = TEXTS["prose"].replace(",", "").replace(".", "").replace(";", "").split()
_NAMES: Final = [
    "Ada",
    "Grace",
    "Linus",
    "Noor",
    "Mateo",
    "Yuki",
    "Priya",
    "Sven",
    "Chloe",
    "Omar",
    "Ines",
    "Paul",
    "Rita",
    "Tom",
]
_CITIES: Final = [
    "Boston",
    "Lyon",
    "Oslo",
    "Nairobi",
    "Quito",
    "Perth",
    "Leeds",
    "Turin",
    "Osaka",
    "Kyiv",
    "Lima",
    "Graz",
]
_STATES: Final = ["active", "pending", "closed", "failed", "queued", "archived"]
_EUROPE: Final = [
    "Müller",
    "Schröder",
    "Weiß",
    "Köhler",
    "Größe",
    "Straße",
    "Señor",
    "Peña",
    "Muñoz",
    "Año",
    "François",
    "Hélène",
    "Garçon",
    "Élise",
    "Håkon",
    "Søren",
    "Åse",
    "Ångström",
    "Żółć",
    "Łódź",
    "Wójcik",
    "Gdańsk",
    "Dvořák",
    "Čapek",
    "Şahin",
    "Öztürk",
    "João",
    "São",
]
_EMOJI: Final = ["😀", "🎉", "🚀", "❤️", "👍", "🔥", "👩\u200d💻", "🇩🇪", "✅", "⚠️", "🥳", "🍕"]
_LEVELS: Final = ("INFO", "WARN", "ERROR", "DEBUG")


class _Make(Random):
    """Random parts of payloads."""

    def words(self, least: int, most: int) -> str:
        return " ".join(self.choices(_WORDS, k=self.randint(least, most)))

    def name(self) -> str:
        return f"{self.choice(_NAMES)} {self.choice(_NAMES)}son"

    def date(self) -> str:
        return f"20{self.randint(19, 26)}-{self.randint(1, 12):02}-{self.randint(1, 28):02}"

    def time(self) -> str:
        return f"{self.date()}T{self.randint(0, 23):02}:{self.randint(0, 59):02}:09Z"

    def number(self, most: int, places: int = 2) -> float:
        return round(self.random() * most, places)

    def hex(self, digits: int) -> str:
        return hashlib.sha256(str(self.random()).encode()).hexdigest()[:digits]

    def url(self) -> str:
        path = "/".join(self.choices(_WORDS, k=self.randint(1, 3))).lower()
        return f"https://{self.choice(_NAMES).lower()}.example/{path}?page={self.randint(1, 90)}"

    def sentence(self, kind: str) -> str:
        return self.choice(TEXTS[kind].splitlines())[: self.randint(12, 70)].strip()

    def point(self, places: int) -> list[float]:
        return [self.number(180, places), self.number(90, places)]


def _people(r: _Make, n: int) -> Any:
    return [
        {"id": i, "name": r.name(), "city": r.choice(_CITIES), "age": r.randint(18, 80)}
        for i in range(n)
    ]


def _staff(r: _Make, n: int) -> Any:
    return {
        "employees": [
            {
                "employeeId": 1000 + i,
                "email": f"{r.choice(_NAMES).lower()}{i}@corp.example",
                "department": r.choice(_STATES).title(),
                "salary": r.randint(30_000, 150_000),
                "hired": r.date(),
                "remote": r.random() < 0.5,
            }
            for i in range(n)
        ],
        "total": n,
    }


def _orders(r: _Make, n: int) -> Any:
    return [
        {
            "orderId": f"ORD-{r.randint(10_000, 99_999)}",
            "status": r.choice(_STATES),
            "customer": {"name": r.name(), "email": f"{r.choice(_NAMES).lower()}@shop.example"},
            "items": [
                {
                    "sku": f"SKU{r.randint(100, 999)}",
                    "quantity": r.randint(1, 5),
                    "price": r.number(90),
                }
                for _ in range(r.randint(1, 4))
            ],
        }
        for _ in range(n)
    ]


def _geojson(r: _Make, n: int) -> Any:
    ring = [r.point(6) for _ in range(8)]
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"name": r.choice(_CITIES), "population": r.randint(900, 9_000_000)},
                "geometry": {"type": "Polygon", "coordinates": [[*ring, r.point(6)]]},
            }
            for _ in range(-(-n // 4))
        ],
    }


def _topojson(r: _Make, n: int) -> Any:
    arcs = [[[r.randint(-99, 99), r.randint(-99, 99)] for _ in range(9)] for _ in range(n)]
    return {"type": "Topology", "transform": {"scale": [0.036, 0.0017]}, "arcs": arcs}


def _logs(r: _Make, n: int) -> Any:
    return [
        {
            "timestamp": r.time(),
            "level": r.choice(_LEVELS),
            "service": f"{r.choice(_STATES)}-api",
            "message": r.words(3, 9),
            **({"error": {"code": r.randint(400, 599), "retry": True}} if r.random() < 0.3 else {}),
        }
        for _ in range(n)
    ]


def _lines(r: _Make, n: int) -> Any:
    return [
        f'{r.randint(1, 254)}.{r.randint(0, 254)}.0.{r.randint(1, 254)} - - [{r.time()}] "GET /'
        f'{r.choice(_WORDS)} HTTP/1.1" {r.choice((200, 304, 404))} {r.randint(90, 90_000)}'
        for _ in range(n)
    ]


def _config(r: _Make, n: int) -> Any:
    return {
        f"{r.choice(_WORDS)}{i}".lower(): {
            "enabled": r.random() < 0.5,
            "limits": {"cpu": f"{r.randint(1, 9) * 100}m", "memory": f"{r.randint(1, 64)}Gi"},
            "hosts": [f"{r.choice(_NAMES).lower()}.internal" for _ in range(r.randint(0, 3))],
            "retry": {"attempts": r.randint(1, 5), "backoff": None},
        }
        for i in range(n)
    }


def _tree(r: _Make, n: int) -> Any:
    node: dict[str, Any] = {"name": f"{r.choice(_WORDS)}.py", "size": r.randint(10, 99_999)}
    return node | {"children": [_tree(r, n // 2 - 1) for _ in range(2)]} if n > 2 else node


def _schema(r: _Make, n: int) -> Any:
    def field() -> dict[str, Any]:
        kind = r.choice(("string", "integer", "boolean"))
        return {"type": kind, "description": r.words(4, 9), "nullable": r.random() < 0.3}

    fields = {f"{r.choice(_WORDS)}_{i}".lower(): field() for i in range(n)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": fields}


def _chat(r: _Make, n: int) -> Any:
    return {
        "model": "assistant",
        "messages": [
            {"role": r.choice(("user", "assistant")), "content": r.words(8, 40).capitalize() + "."}
            for _ in range(n)
        ],
    }


def _search(r: _Make, n: int) -> Any:
    return {
        "query": r.words(1, 3),
        "results": [
            {"rank": i, "title": r.words(3, 7).title(), "url": r.url(), "snippet": r.words(9, 25)}
            for i in range(n)
        ],
    }


def _commits(r: _Make, n: int) -> Any:
    return [
        {"sha": r.hex(40), "author": r.name(), "date": r.time(), "message": r.words(3, 9)}
        for _ in range(n)
    ]


def _uuids(r: _Make, n: int) -> Any:
    def uuid() -> str:
        return "-".join(r.hex(digits) for digits in (8, 4, 4, 4, 12))

    return [{"id": uuid(), "kind": r.choice(_STATES), "score": r.number(1, 3)} for _ in range(n)]


def _script(kind: str) -> Callable[[_Make, int], Any]:
    return lambda r, n: [
        {"id": i, "title": r.sentence(kind), "price": r.number(90), "stock": r.randint(0, 50)}
        for i in range(n)
    ]


def _text(kind: str) -> Callable[[_Make, int], Any]:
    return lambda r, n: {
        "path": f"/{r.choice(_WORDS)}", "content": "\n".join(TEXTS[kind].splitlines()[: n + 2])
    }  # fmt: skip


def _flags(r: _Make, n: int) -> Any:
    return [{f"is{word}": r.random() < 0.5 for word in _NAMES[:6]} | {"n": i} for i in range(n)]


def _sparse(r: _Make, n: int) -> Any:
    return [
        {w.lower(): r.choice((None, None, "", r.randint(0, 9))) for w in _CITIES} for _ in range(n)
    ]


def _keyed(r: _Make, n: int) -> Any:
    return {
        f"user_{r.randint(1, 9_999)}_{i}": {"plan": r.choice(_STATES), "seats": r.randint(1, 90)}
        for i in range(n)
    }


def _signs(r: _Make, n: int) -> Any:
    signs = (", ", " | ", "\t", '"', ": ", " - ", "\\")
    return [
        {"key": i, "text": r.choice(signs).join((r.words(1, 3), r.words(1, 2), r.words(1, 2)))}
        for i in range(n)
    ]


def _series(r: _Make, n: int) -> Any:
    return [
        {
            "date": r.date(),
            "views": r.randint(90, 9_000),
            "revenue": r.number(9_000),
            "rate": r.number(1),
        }
        for _ in range(n)
    ]


def _codes(r: _Make, n: int) -> Any:
    def code(size: int) -> str:
        return "".join(r.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=size))

    return [
        {"ticker": code(4), "isin": f"{code(2)}{r.randint(10**9, 10**10 - 1)}", "ccy": code(3)}
        for _ in range(n)
    ]


def _contacts(r: _Make, n: int) -> Any:
    return [
        {
            "name": r.name(),
            "phone": f"+1 ({r.randint(200, 999)}) {r.randint(200, 999)}-{r.randint(1000, 9999)}",
            "address": f"{r.randint(1, 999)} {r.choice(_WORDS).title()} St, {r.choice(_CITIES)}",
            "tags": r.sample(_STATES, 2),
        }
        for _ in range(n)
    ]


#: A maker for each kind of payload.
KINDS: Final[dict[str, Callable[[_Make, int], Any]]] = {
    "people": _people,
    "staff": _staff,
    "orders": _orders,
    "contacts": _contacts,
    "keyed objects": _keyed,
    "time series": _series,
    "flags": _flags,
    "sparse records": _sparse,
    "signs in cells": _signs,
    "logs": _logs,
    "log lines": _lines,
    "configuration": _config,
    "trees": _tree,
    "schemas": _schema,
    "conversations": _chat,
    "search results": _search,
    "links": lambda r, n: [r.url() for _ in range(n)],
    "commits": _commits,
    "UUIDs": _uuids,
    "codes": _codes,
    "small integers": lambda r, n: {"values": [r.randint(0, 99) for _ in range(4 * n)]},
    "grids of digits": lambda r, n: [[r.randint(0, 9) for _ in range(9)] for _ in range(n)],
    "tables of digits": lambda r, n: [{"x": r.randint(0, 9), "y": i % 7} for i in range(n)],
    "large integers": lambda r, n: [{"id": r.randint(10**9, 10**18), "n": i} for i in range(n)],
    "vectors": lambda r, n: {"embedding": [round(r.gauss(0, 1), 9) for _ in range(4 * n)]},
    "GeoJSON": _geojson,
    "TopoJSON": _topojson,
    "places": lambda r, n: [{"city": r.choice(_CITIES), "at": r.point(4)} for _ in range(n)],
    "emoji": lambda r, n: [
        {"user": r.choice(_NAMES), "reaction": r.choice(_EMOJI), "count": i} for i in range(n)
    ],
    "accented names": lambda r, n: [
        {"id": i, "name": " ".join(r.sample(_EUROPE, 2)), "age": r.randint(9, 90)} for i in range(n)
    ],
    "base64": lambda r, n: {
        "type": "image/png", "data": b64encode(r.randbytes(30 * n)).decode(), "size": 30 * n
    },
    "sequences": lambda r, n: [
        {"gene": f"G{i}", "dna": "".join(r.choices("ACGT", k=60))} for i in range(n)
    ],
    **{f"{kind} records": _script(kind) for kind in ("Russian", "Chinese", "Arabic", "Hindi")},
    **{f"{kind} records": _script(kind) for kind in ("Japanese", "Thai", "German")},
    **{kind: _text(kind) for kind in ("code", "HTML", "prose")},
}  # fmt: skip


def payloads() -> Iterator[tuple[str, int, Any]]:
    """Yield every payload with its kind and its size."""
    for kind, maker in KINDS.items():
        for size in SIZES:
            yield kind, size, maker(_Make(f"{kind} {size}"), size)
