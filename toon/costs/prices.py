"""Tokens to money, with the dated prices of the ``genai-prices`` package, offline.

Prices have tiers that depend on the size of one call, so a call is priced, never a million
tokens. What is not known is None, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final

MONTHS: Final = 12

_BATCH: Final = {"processing": "batch"}


@dataclass(frozen=True, slots=True)
class Model:
    """A model as one provider sells it; ``key`` is ``provider/model``."""

    key: str
    name: str
    provider: str
    context_window: int | None
    batch: bool  # whether a batch price is known
    comment: str  # when and where the price was checked, if that is recorded


def price_source() -> str:
    """Where the prices come from: package and version."""
    return f"genai-prices {version('genai-prices')}"


@lru_cache(maxsize=1)
def models() -> dict[str, Model]:
    """Every model with a price of input tokens, by key, in order of provider and name."""
    found = {}
    for provider in _snapshot().providers:
        for info in provider.models:
            key = f"{provider.id}/{info.id}"
            if call_price(key, 1000) is not None:
                found[key] = _model(key, provider.name, info)
    return dict(sorted(found.items(), key=lambda item: (item[1].provider, item[1].name)))


def _model(key: str, provider: str, info: Any) -> Model:
    variants = info.price_variants or []
    batch = any(variant.when == _BATCH for variant in variants)
    comment = info.price_comments or ""
    return Model(key, info.name or info.id, provider, info.context_window, batch, comment)


def call_price(
    key: str,
    tokens: int,
    *,
    cached_share: float = 0.0,
    batch: bool = False,
    at: datetime | None = None,
) -> Decimal | None:
    """US dollars for the input of one call, at the tier of its size.

    Args:
        key: ``provider/model``.
        tokens: input tokens of the call.
        cached_share: 0 to 1, the share of them read from the provider's cache.
        batch: at the batch price.
        at: when; now if None.

    Returns:
        None where no price is known: for the model, for reading its cache, or for a batch.
    """
    from genai_prices import Usage, calc_price

    if not 0 <= cached_share <= 1:
        raise ValueError("cached_share must be 0 to 1")
    provider, _, model = key.partition("/")
    info = _info(provider, model)
    if info is None or (batch and not any(v.when == _BATCH for v in info.price_variants or [])):
        return None
    when = at or datetime.now(UTC)
    cached = round(tokens * cached_share)
    prices = info.get_prices(when, _BATCH if batch else None)
    if prices.input_mtok is None or (cached and prices.cache_read_mtok is None):
        return None
    try:
        priced = calc_price(
            Usage(input_tokens=tokens, cache_read_tokens=cached or None),
            model,
            provider_id=provider,
            genai_request_timestamp=when,
            price_context=_BATCH if batch else None,
        )
    except LookupError:
        return None
    return Decimal(priced.input_price) if priced.model.id == model else None


def _info(provider: str, model: str) -> Any:
    for candidate in _snapshot().providers:
        if candidate.id == provider:
            return next((info for info in candidate.models if info.id == model), None)
    return None


@lru_cache(maxsize=1)
def _snapshot() -> Any:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


def bills(
    rows: list[dict[str, Any]],
    key: str,
    *,
    calls_per_month: int,
    cached_share: float = 0.0,
    batch: bool = False,
) -> list[dict[str, Any]]:
    """What each format of :func:`toon.costs.compare.compare` costs with one model.

    ``rows`` are of one tokenizer. Each bill has ``format``, ``tokens``, ``exact``, ``per_call``,
    ``per_month``, ``per_year``, ``saved_per_month`` against compact JSON (negative: it costs
    more) and ``window``, the share of the context window a call takes. Dollars are Decimals; None
    is unknown.
    """
    model = models().get(key)
    prices = {
        row["format"]: None
        if row["tokens"] is None
        else call_price(key, row["tokens"], cached_share=cached_share, batch=batch)
        for row in rows
    }
    compact = prices.get("json-compact")
    return [_bill(row, prices[row["format"]], compact, model, calls_per_month) for row in rows]


def _bill(
    row: dict[str, Any],
    price: Decimal | None,
    compact: Decimal | None,
    model: Model | None,
    calls: int,
) -> dict[str, Any]:
    window = model.context_window if model else None
    saved = None if price is None or compact is None else (compact - price) * calls
    return {
        "format": row["format"],
        "tokens": row["tokens"],
        "exact": row["exact"],
        "per_call": price,
        "per_month": None if price is None else price * calls,
        "per_year": None if price is None else price * calls * MONTHS,
        "saved_per_month": saved,
        "window": row["tokens"] / window if window and row["tokens"] is not None else None,
    }
