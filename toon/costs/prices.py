"""Prices of tokens, with the dated prices of the ``genai-prices`` package, offline.

The price of a token can depend on the size of the call, so one call is priced, never a million
tokens. An unknown price is None, never 0.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, NamedTuple, TypedDict

from toon.costs.compare import Row, cost, label, measured_rows, note_tokens, objection
from toon.costs.explanation import ALONE, Explaining
from toon.costs.models import Model
from toon.formats import AS_TYPED
from toon.wording import capitalised, percent, plural

#: The most calls a month that can be priced.
MOST_CALLS: Final = 10**12

_BATCH: Final = {"processing": "batch"}


@dataclass(frozen=True, slots=True)
class Offer:
    """A model as one provider sells it, without its price: its key ``provider/model``, the names of
    both, and its context window in tokens (None if unknown).
    """

    key: str
    name: str
    provider: str
    context_window: int | None


def price_source() -> str:
    """Return the name and version of the package that the prices come from."""
    return f"genai-prices {version('genai-prices')}"


@lru_cache(maxsize=1)
def offers() -> dict[str, Offer]:
    """Return by ``provider/model`` each Offer with an input price, sorted by provider and name."""
    priced = {}
    for provider in _snapshot().providers:
        for info in provider.models:
            key = f"{provider.id}/{info.id}"
            if call_price(key, 1000) is not None:
                priced[key] = Offer(key, info.name or info.id, provider.name, info.context_window)
    return dict(sorted(priced.items(), key=lambda item: (item[1].provider, item[1].name)))


def price_of(model: Model) -> Offer | None:
    """Return a model as its maker sells it, with its context window; None if no price fits it."""
    return offers().get(model.price or "")


def price_notice(model: Model) -> str | None:
    """Return a sentence that a model has no price; None if it has one."""
    if price_of(model):
        return None
    return f"{price_source()} has no price that fits {model.label}: tokens alone are shown."


def call_price(
    key: str, tokens: int | Decimal, *, cached_share: float = 0.0, batch: bool = False
) -> Decimal | None:
    """Return US dollars for the input ``tokens`` of one call now, at the tier of its size.

    ``key`` is ``provider/model``, ``cached_share`` the share of the input read from the provider's
    cache, and ``batch`` whether the batch price applies. Return None if a price is unknown.

    Raises:
        ValueError: ``cached_share`` is not 0 to 1.
    """
    if not 0 <= cached_share <= 1:
        raise ValueError("cached_share must be 0 to 1")
    cached = Decimal(tokens) * Decimal(cached_share)
    priced = price_usage(
        key, {"input": tokens, "cache_read": cached}, datetime.now(UTC), batch=batch
    )
    return Decimal(priced.input_price) if priced else None


def price_usage(
    key: str, tokens: Mapping[str, int | Decimal], at: datetime, *, batch: bool = False
) -> Any:
    """Return the prices of a call of ``key`` (``provider/model``), as ``genai_prices`` gives them.

    ``tokens`` are by its kinds: ``input`` (the rest is part of it), ``cache_read``,
    ``cache_write``, ``cache_write_1h``; and ``output``. The prices are those of the time ``at``, of
    a batch if asked. Where writing to the cache has no price of its own, it costs what input does.
    Return None if another price of some of the tokens is unknown.
    """
    from genai_prices import Usage, calc_price

    provider, _, model = key.partition("/")
    info = model_info(provider, model)
    variants = (variant.when for variant in info.price_variants or []) if info else ()
    if info is None or (batch and _BATCH not in variants):
        return None
    context = _BATCH if batch else None
    rates = info.get_prices(at, context)
    kinds = {kind for kind in tokens if getattr(rates, f"{kind}_mtok") is not None}
    needed = {"input", *(kind for kind in ("cache_read", "output") if tokens.get(kind))}
    if not needed <= kinds:
        return None
    usage = {f"{kind}_tokens": tokens[kind] for kind in kinds if tokens[kind] or kind == "input"}
    try:
        priced = calc_price(
            Usage(**usage),
            model,
            provider_id=provider,
            genai_request_timestamp=at,
            price_context=context,
        )
    except (LookupError, ValueError):
        return None
    return priced if priced.model.id == model else None


@lru_cache(maxsize=1024)
def cached_rate(model: Model | None) -> float:
    """Return what a token from a model's cache costs where one of input costs 1; 1 if unknown."""
    key = model.price or "" if model else ""
    whole, read = call_price(key, 1000), call_price(key, 1000, cached_share=1.0)
    return min(1.0, float(read / whole)) if whole and read is not None else 1.0


def use_prices(model: Model | None, explaining: Explaining) -> Explaining:
    """Return a setting of notes with the price that a model has for tokens read from its cache."""
    return replace(explaining, rate=cached_rate(model)) if explaining.cached else explaining


def find_offer(name: str, provider: str | None = None) -> str | None:
    """Return the key ``provider/model`` of a model as a provider or its maker sells it, or None."""
    try:
        seller, info = _snapshot().find_provider_model(name, None, provider, None)
    except LookupError:
        return None
    key = f"{seller.id}/{info.id}"
    return key if key in offers() else None


def model_info(provider: str, model: str) -> Any:
    """Return the entry of a provider's model in ``genai-prices``, or None."""
    infos = (seller.models for seller in _snapshot().providers if seller.id == provider)
    return next((info for info in next(infos, ()) if info.id == model), None)


def price_period(key: str, at: datetime) -> str:
    """Return a name for the time since which prices of ``provider/model`` hold at ``at`` (UTC).

    It is a day, and a time of day if prices change with it; "" before any change.
    """
    days, times = _changes(key)
    edges = (bisect_right(days, at.date()), bisect_right(times, at.time()))
    starts = [str(edge) for edge in (*days[: edges[0]][-1:], *times[: edges[1]][-1:])]
    return " ".join(starts)


def is_hourly(key: str) -> bool:
    """Return whether the prices of ``provider/model`` change with the time of day."""
    return bool(_changes(key)[1])


@lru_cache(maxsize=4_096)
def _changes(key: str) -> tuple[list[date], list[time]]:
    """Return the days, and the times of day in UTC, at which the prices of a model change."""
    provider, _, model = key.partition("/")
    prices = getattr(model_info(provider, model), "prices", None)
    rules = [price.constraint for price in prices] if isinstance(prices, list) else []
    days = {rule.start_date for rule in rules if hasattr(rule, "start_date")}
    daily = [rule for rule in rules if hasattr(rule, "start_time")]
    times = {
        edge.replace(tzinfo=None) for rule in daily for edge in (rule.start_time, rule.end_time)
    }
    return sorted(days), sorted(times)


@lru_cache(maxsize=1)
def _snapshot() -> Any:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


class Traffic(NamedTuple):
    """The number of calls to a model in a month, with one payload each, and how they are paid.

    ``cached_share`` of the payloads' tokens (0 to 1) are read from the provider's cache; ``batch``
    calls have their own price.
    """

    calls: int = 0
    cached_share: float = 0.0
    batch: bool = False

    def __str__(self) -> str:
        return f"{plural(self.calls, 'call')}{self.terms}"

    @property
    def terms(self) -> str:
        """How a month's calls are paid, in words: ``, in batches``; "" if in full and at once."""
        cached = f", {percent(self.cached_share)} read from cache" if self.cached_share else ""
        return f"{cached}{', in batches' if self.batch else ''}"

    def price(
        self, model: Model, tokens: int, explanation: float = 0.0, cached: float = 0.0
    ) -> Decimal | None:
        """Return US dollars for one call with a payload of so many ``tokens``; None if unknown.

        ``explanation`` tokens stand before them. They are read from the cache in the share
        ``cached`` of the calls, and at least as often as the payload: a cache holds how a prompt
        begins. Without a known price of cached input, they have that of input.
        """
        key, whole = model.price or "", tokens + explanation
        own = cached if cached_rate(model) < 1 else 0.0
        read = tokens * self.cached_share + explanation * max(own, self.cached_share)
        share = min(1.0, read / whole) if whole else 0.0
        return call_price(key, Decimal(whole), cached_share=share, batch=self.batch)


class Bill(TypedDict):
    """The cost of one text with one model, in US dollars a call and a month; None is unknown.

    A call holds one payload and its share of the explanation: ``cost`` tokens at the price of
    input.
    """

    format: str
    label: str
    cost: float
    per_call: Decimal | None
    per_month: Decimal | None


def explain_misfit(model: Model | None, tokens: float, name: str) -> str:
    """Return a sentence if the text ``name``, of so many tokens, is too long for a model; or ""."""
    offer = price_of(model) if model else None
    window = offer.context_window if offer else None
    if model is None or window is None or tokens <= window:
        return ""
    return f"{capitalised(name)} does not fit: {model.label} reads at most {window:,} tokens."


def bills(
    rows: Iterable[Row], model: Model, traffic: Traffic, explaining: Explaining = ALONE
) -> list[Bill]:
    """Return dollars a call and a month with a model for the text as typed and each format to send.

    The text as typed is sent today: it has its price even if it may not be recommended. ``rows``
    are of :func:`toon.costs.compare.compare`; those of other tokenizers than the model's are left
    out.
    """
    explaining, results = use_prices(model, explaining), list[Bill]()
    for row in measured_rows(rows):
        if row["tokenizer"] != model.tokenizer or (row["format"] != AS_TYPED and objection(row)):
            continue
        once, together = note_tokens(row, explaining), explaining.together
        share = once / together if together else 0.0
        price = traffic.price(model, row["tokens"], share, explaining.cached)
        results.append(
            {
                "format": row["format"],
                "label": label(row),
                "cost": cost(row, explaining),
                "per_call": price,
                "per_month": None if price is None else traffic.calls * price,
            }
        )
    return results
