"""Tokens to money, with the dated prices of the ``genai-prices`` package, offline.

The price of a token can depend on the size of the call, so one call is priced, never a million
tokens. An unknown price is None, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, TypedDict

from toon.costs.compare import Row

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
    comment: str  # when and where the price was checked; may be empty


def price_source() -> str:
    """The package the prices come from, and its version."""
    return f"genai-prices {version('genai-prices')}"


@lru_cache(maxsize=1)
def models() -> dict[str, Model]:
    """Every model whose price for input tokens is known, by key, sorted by provider and name."""
    priced = {}
    for provider in _snapshot().providers:
        for info in provider.models:
            key = f"{provider.id}/{info.id}"
            if call_price(key, 1000) is not None:
                priced[key] = Model(
                    key,
                    info.name or info.id,
                    provider.name,
                    info.context_window,
                    _has_batch(info),
                    info.price_comments or "",
                )
    return dict(sorted(priced.items(), key=lambda item: (item[1].provider, item[1].name)))


def _has_batch(info: Any) -> bool:
    return any(variant.when == _BATCH for variant in info.price_variants or [])


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
        tokens: The input tokens of the call.
        cached_share: The share of them read from the provider's cache, 0 to 1.
        batch: Whether the batch price applies.
        at: The time whose prices apply; now if None.

    Returns:
        The price; None if it is not known for this model, its cache or a batch.

    Raises:
        ValueError: ``cached_share`` is not 0 to 1.
    """
    from genai_prices import Usage, calc_price

    if not 0 <= cached_share <= 1:
        raise ValueError("cached_share must be 0 to 1")
    provider, _, model = key.partition("/")
    info = _info(provider, model)
    if info is None or (batch and not _has_batch(info)):
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


class Bill(TypedDict):
    """What one format costs with one model, in US dollars; None is unknown."""

    format: str
    tokens: int | None
    exact: bool
    per_call: Decimal | None
    per_month: Decimal | None
    per_year: Decimal | None
    saved_per_month: Decimal | None  # against compact JSON; negative: it costs more
    window: float | None  # the share of the model's context window that a call takes


def bills(
    rows: Sequence[Row],
    key: str,
    *,
    calls_per_month: int,
    cached_share: float = 0.0,
    batch: bool = False,
) -> list[Bill]:
    """What each format costs with one model; ``rows`` are of :func:`compare`, of one tokenizer."""
    model = models().get(key)
    window = model.context_window if model else None
    prices = {
        row["format"]: None
        if row["tokens"] is None
        else call_price(key, row["tokens"], cached_share=cached_share, batch=batch)
        for row in rows
    }
    compact = prices.get("json-compact")
    return [
        {
            "format": row["format"],
            "tokens": row["tokens"],
            "exact": row["exact"],
            "per_call": price,
            "per_month": None if price is None else price * calls_per_month,
            "per_year": None if price is None else price * calls_per_month * MONTHS,
            "saved_per_month": None
            if price is None or compact is None
            else (compact - price) * calls_per_month,
            "window": row["tokens"] / window if window and row["tokens"] is not None else None,
        }
        for row in rows
        for price in [prices[row["format"]]]
    ]
