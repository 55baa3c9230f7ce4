"""Made-up corpora for the tests: the same records every time."""

import json
import random
from collections.abc import Iterator
from typing import Any

from toon.traffic.payload import BadRecord, Payload, Record


def records(count: int, seed: int = 1) -> Iterator[Record]:
    """Rows, nested orders, scalars, broken JSON and bad records, in three groups."""
    chance = random.Random(seed)
    for number in range(1, count + 1):
        if chance.random() < 0.03:
            yield BadRecord("log.jsonl", number, "no payload here")
            continue
        group = chance.choice(["GET /orders", "GET /users", "tool: search"])
        time = None if chance.random() < 0.2 else 1_760_000_000 + number * 0.25
        yield Payload("log.jsonl", number, group, _text(chance), time)


def flip_bits(data: bytes, count: int = 200) -> Iterator[bytes]:
    """Yield a Parquet file with one bit changed, at random places, half of them in its footer."""
    footer = 8 * (len(data) - 8 - int.from_bytes(data[-8:-4], "little"))
    chance = random.Random(count)
    places = (range(8 * 4, footer), range(footer, 8 * len(data)))
    for bit in (bit for bits in places for bit in chance.sample(bits, count // 2)):
        place, mask = divmod(bit, 8)
        yield data[:place] + bytes([data[place] ^ 1 << mask]) + data[place + 1 :]


def _text(chance: random.Random) -> str:
    value = chance.choice([_rows, _order, _odd])(chance)
    options = chance.choice([{}, {"indent": 2}, {"separators": (",", ":")}])
    text = json.dumps(value, ensure_ascii=False, **options)
    return text[:-1] if chance.random() < 0.03 else text


def _rows(chance: random.Random) -> Any:
    keys = chance.sample(["id", "name", "größe", "price", "ok"], 3)
    return [{key: chance.randrange(1000) for key in keys} for _ in range(chance.randrange(1, 20))]


def _order(chance: random.Random) -> Any:
    items = [{"sku": f"A-{chance.randrange(99)}", "tags": ["x", "y, z"][: chance.randrange(3)]}]
    return {"id": chance.randrange(10**6), "items": items * chance.randrange(3), "note": "日本 'ſ"}


def _odd(chance: random.Random) -> Any:
    return chance.choice([None, 1.5, 10**30, "a\nb", [], {}, [[1], {"a": []}], {"": "<|end|>"}])
