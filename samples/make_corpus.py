"""Writes ``corpus.jsonl.gz``: four weeks of an invented shop's traffic to a language model.

    python samples/make_corpus.py

Each line is a record with ``time``, ``endpoint`` and ``payload``; the records are in order of time.
A payload is a JSON value or, from tools, a string that holds JSON. The same seed gives the same
text; another build of zlib may pack it differently. All data is invented.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

SEED = 20260302
PAYLOADS = 2600
START = datetime(2026, 3, 2, tzinfo=UTC)
DAYS = 28
PATH = Path(__file__).parent / "corpus.jsonl.gz"

#: The relative traffic of each hour of the day, and of a weekend.
HOURS = [1, 1, 1, 1, 1, 2, 4, 8, 14, 18, 20, 18, 15, 18, 20, 19, 16, 12, 8, 6, 5, 4, 3, 2]
WEEKEND = 0.35

WORDS = [
    "anchor", "basket", "candle", "drawer", "engine", "fabric", "garden", "handle", "island",
    "jacket", "kettle", "ladder", "mirror", "napkin", "orchid", "pencil", "quartz", "ribbon",
    "saddle", "teapot", "urchin", "violet", "window", "yellow", "zipper", "bright", "copper",
    "double", "folded", "gentle", "hollow", "linen", "marble", "narrow", "oak", "plain", "quiet",
    "round", "silver", "tall",
]  # fmt: skip
NAMES = [
    "Amara Okafor", "Bruno Keller", "Chiara Conti", "Dmitri Volkov", "Élodie Martin",
    "Farid Haddad", "Grace Mbeki", "Hana Sato", "Ingrid Søberg", "João Pereira", "Katya Nowak",
    "Liam O'Brien", "王小明", "Noor Rahman", "Óscar Núñez", "Priya Nair",
]  # fmt: skip
CITIES = [
    "Lisbon", "Kraków", "Nairobi", "Osaka", "Bergen", "Lyon", "Toronto", "Recife", "Hanoi",
    "Galway",
]  # fmt: skip
SENTENCES = (
    "Open the lid before the tray is lifted, and let it cool for ten minutes.",
    "A refund is sent to the card that was charged; it may take up to five working days.",
    'The label reads "fragile" on two sides: keep it upright.',
    "Parcels over 20 kg are left at the door only when the customer has agreed in writing.",
    "If the light stays red, hold the button for three seconds and try again.",
    "Prices include tax, except where a business number was given at checkout.",
    "Do not store below 4 °C – the glue turns brittle.",
    "See also: returns, exchanges, gift cards.",
)

Make = Callable[[Random, datetime], Any]


def product(random: Random) -> dict[str, Any]:
    return {
        "sku": f"{random.choice('ABCDEFGH')}{random.randrange(10_000, 99_999)}",
        "name": " ".join(random.sample(WORDS, 2)),
        "price": random.randrange(199, 19_999) / 100,
        "stock": random.randrange(0, 400),
        "active": random.random() < 0.9,
    }


def products(random: Random, now: datetime) -> Any:
    return [product(random) for _ in range(random.randrange(5, 30))]


def metrics(random: Random, now: datetime) -> Any:
    level = random.uniform(20, 200)
    rows = []
    for minute in range(random.randrange(12, 40)):
        level = max(1.0, level + random.uniform(-15, 15))
        at = now - timedelta(minutes=5 * minute)
        rows.append(
            {
                "t": at.strftime("%Y-%m-%dT%H:%MZ"),
                "requests": round(level),
                "errors": random.choice([0, 0, 0, 1, 2]),
                "p95_ms": round(80 + level * random.uniform(0.5, 2), 1),
            }
        )
    return {"service": random.choice(["checkout", "search", "stock"]), "points": rows}


def customers(random: Random, now: datetime) -> Any:
    rows = []
    for _ in range(random.randrange(3, 14)):
        name = random.choice(NAMES)
        number = random.randrange(1000, 99_999)
        address = {"city": random.choice(CITIES), "zip": f"{random.randrange(10_000, 99_999)}"}
        rows.append(
            {"id": number, "name": name, "mail": f"c{number}@example.com", "address": address}
        )
    return {"customers": rows, "next": None}


def query(random: Random, now: datetime) -> Any:
    rows = [
        {
            "day": (now - timedelta(days=day)).strftime("%Y-%m-%d"),
            "city": random.choice(CITIES),
            "orders": random.randrange(5, 400),
            "revenue": random.randrange(10_000, 900_000) / 100,
        }
        for day in range(random.randrange(7, 35))
    ]
    return {"rows": rows, "row_count": len(rows), "took_ms": random.randrange(3, 900)}


def order(random: Random, now: datetime) -> dict[str, Any]:
    items = []
    for _ in range(random.randrange(1, 4)):
        item = product(random)
        line: dict[str, Any] = {"sku": item["sku"], "qty": random.randrange(1, 5)}
        if random.random() < 0.4:
            line["options"] = {"colour": random.choice(["red", "blue", "oak"])}
        items.append(line)
    order: dict[str, Any] = {
        "id": f"ord_{random.getrandbits(48):012x}",
        "placed": (now - timedelta(minutes=random.randrange(1, 5000))).isoformat(),
        "customer": {"id": random.randrange(1000, 99_999), "name": random.choice(NAMES)},
        "items": items,
        "total": random.randrange(500, 60_000) / 100,
    }
    if random.random() < 0.3:
        order["coupon"] = {"code": random.choice(WORDS).upper(), "percent": 10}
    if random.random() < 0.5:
        order["notes"] = [random.choice(SENTENCES)]
    return order


def orders(random: Random, now: datetime) -> Any:
    rows = [order(random, now) for _ in range(random.randrange(2, 9))]
    return {"orders": rows, "page": random.randrange(1, 9)}


def events(random: Random, now: datetime) -> Any:
    log: list[dict[str, Any]] = []
    for index in range(random.randrange(5, 16)):
        at = (now - timedelta(seconds=7 * index)).isoformat()
        kind = random.choice(["view", "cart", "pay", "error"])
        event: dict[str, Any] = {"at": at, "type": kind}
        if kind == "view":
            event |= {"path": f"/p/{random.choice(WORDS)}", "ms": random.randrange(20, 900)}
        elif kind == "cart":
            event |= {"item": {"sku": product(random)["sku"], "qty": random.randrange(1, 4)}}
        elif kind == "pay":
            event |= {"amount": random.randrange(500, 30_000) / 100, "method": "card"}
        else:
            event |= {"code": random.choice([408, 429, 500, 503]), "retry": [1, 2, 4]}
        log.append(event)
    return log


def config(random: Random, now: datetime) -> Any:
    def limit() -> dict[str, Any]:
        return {"limit": random.randrange(10, 900), "window": {"unit": "s", "size": 60}}

    return {
        "version": random.randrange(100, 999),
        "checkout": {
            "payment": {"card": {"enabled": True, "retry": {"times": 3}}, "invoice": limit()},
            "shipping": {"zones": {city.lower(): limit() for city in random.sample(CITIES, 2)}},
        },
        "search": {"boost": {"name": 2.5, "stock": random.choice([0.5, 1.5])}, "rate": limit()},
        "owners": {"team": random.choice(WORDS), "alerts": {"mail": ["ops@example.com"]}},
    }


def documents(random: Random, now: datetime) -> Any:
    hits = []
    for _ in range(random.randrange(1, 4)):
        text = "\n\n".join(
            " ".join(random.choices(SENTENCES, k=random.randrange(2, 5))) for _ in range(3)
        )
        title = " ".join(random.sample(WORDS, 3)).title()
        hits.append({"title": title, "score": round(random.random(), 4), "text": text})
    return {"query": " ".join(random.sample(WORDS, 2)), "hits": hits}


def issues(random: Random, now: datetime) -> Any:
    rows = []
    for _ in range(random.randrange(3, 12)):
        row: dict[str, Any] = {
            "number": random.randrange(1, 4000),
            "title": " ".join(random.sample(WORDS, 4)),
            "state": random.choice(["open", "closed"]),
            "labels": random.sample(["bug", "shop", "docs", "slow"], random.randrange(0, 3)),
            "assignee": None if random.random() < 0.5 else {"login": random.choice(WORDS)},
        }
        if row["state"] == "closed":
            row["closed_at"] = now.isoformat()
        rows.append(row)
    return rows


#: Each endpoint or tool with its share of the traffic and the function that makes a payload.
ENDPOINTS: dict[str, tuple[int, Make]] = {
    "GET /v1/products": (18, products),
    "GET /v1/metrics/{id}": (9, metrics),
    "GET /v1/customers": (10, customers),
    "GET /v1/orders": (13, orders),
    "GET /v1/orders/{id}": (14, order),
    "GET /v1/events": (10, events),
    "GET /v1/config": (4, config),
    "tool: query_sales": (8, query),
    "tool: search_help": (8, documents),
    "tool: list_issues": (6, issues),
}


def moments(random: Random) -> list[datetime]:
    """The sorted times of all payloads: more in office hours, fewer at weekends."""
    hours = [START + timedelta(hours=hour) for hour in range(24 * DAYS)]
    weights = [HOURS[at.hour] * (WEEKEND if at.weekday() >= 5 else 1.0) for at in hours]
    chosen = random.choices(hours, weights, k=PAYLOADS)
    return sorted(at + timedelta(seconds=random.randrange(3600)) for at in chosen)


def record(random: Random, now: datetime) -> dict[str, Any]:
    shares = [share for share, _ in ENDPOINTS.values()]
    endpoint = random.choices(list(ENDPOINTS), shares)[0]
    payload: Any = ENDPOINTS[endpoint][1](random, now)
    if endpoint.startswith("tool"):
        payload = json.dumps(payload, ensure_ascii=False)
        if random.random() < 0.012:
            payload = "Error: the service did not answer in time"
    return {"time": now.isoformat(), "endpoint": endpoint, "payload": payload}


def corpus() -> bytes:
    """The file's text, not yet packed."""
    random = Random(SEED)
    records = (record(random, now) for now in moments(random))
    lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in records)
    return "".join(f"{line}\n" for line in lines).encode()


def packed(data: bytes) -> bytes:
    """``data`` gzipped, without a time and a name in the header."""
    target = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=target, mtime=0) as file:
        file.write(data)
    return target.getvalue()


if __name__ == "__main__":
    PATH.write_bytes(packed(corpus()))
