"""Counts of a service beside local ones, of one payload's texts or of a sample of many payloads."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, NamedTuple

from toon import tokenizers
from toon.costs.document import Document, Typed
from toon.costs.worth import COMPACT
from toon.formats import label
from toon.limits import DEFAULT_TOKENIZER
from toon.services.endpoint import FRAMED, Endpoint
from toon.wording import count, plural, signed_percent

#: Formats that are always counted, besides the text as typed and the recommended format.
_FORMATS: Final = (COMPACT, "toon")
#: The fewest texts of an interval, and the 97.5 % quantile of Student's t for that many: it is a
#: little higher than for more.
_FEWEST: Final = 20
_QUANTILE: Final = 2.093


class Text(NamedTuple):
    """A text for a service to count, its format's name and label, and its local count or None."""

    name: str
    label: str
    text: str
    local: int | None


class TextCount(NamedTuple):
    """A text's tokens as counted on this machine (None if it cannot) and by a service."""

    name: str
    label: str
    local: int | None
    service: int

    @property
    def words(self) -> str:
        """How a service's count of a text differs from the local one, in words; "" without that."""
        if self.local is None:
            return ""
        if not (more := self.service - self.local):
            return "the service counts the same"
        share = signed_percent(more / self.local)
        return f"{plural(abs(more), 'token')} {'more' if more > 0 else 'fewer'} ({share})"


def list_texts(document: Document, tokenizer: str | None, recommended: str | None) -> list[Text]:
    """Return a payload's texts for a service to count: as typed, minified, TOON, recommended."""
    shortest = tokenizer or DEFAULT_TOKENIZER
    if not tokenizers.get(shortest).counted:
        shortest = DEFAULT_TOKENIZER
    names = dict.fromkeys([*_FORMATS, *filter(None, [recommended])])
    return [
        Text(name, label(name, document.format(name).name), text, _count(tokenizer, text))
        for name in document.list_writable(names)
        for text in [document.text(name, shortest)]
    ]


def _count(tokenizer: str | None, text: str) -> int | None:
    """Count a text's tokens on this machine; return None without the model's own tokenizer."""
    counter = tokenizers.get(tokenizer) if tokenizer else None
    return counter.count(text) if counter and counter.exact else None


def sample(payloads: Iterable[str], most: int, tokenizer: str | None) -> list[Text]:
    """Draw at most ``most`` payloads at random, the same in every run, and count each locally.

    Drawn payloads that are not JSON are left out, since no run measures them.
    """
    chosen, chance = list[str](), random.Random(0)
    for seen, text in enumerate(payloads, 1):
        if len(chosen) < most:
            chosen.append(text)
        elif (place := chance.randrange(seen)) < most:
            chosen[place] = text
    texts = []
    for text in chosen:
        try:
            Typed(text).read_json()
        except (ValueError, RecursionError):
            continue
        texts.append(Text("", "", text, _count(tokenizer, text)))
    return texts


def sent_words(texts: Iterable[Text]) -> str:
    """Return a phrase of how many texts and bytes go to a service, and that ``"x"`` goes too."""
    sizes = [len(text.text.encode()) for text in texts]
    return f"{plural(len(sizes), 'text')} of {plural(sum(sizes), 'byte')}, and {FRAMED!r} alone,"


def count_texts(endpoint: Endpoint, texts: Iterable[Text], tokenizer: str | None) -> Counts:
    """Ask a service for the tokens of texts; return its counts beside the local ones.

    Raises:
        ServiceError: A count did not come.
    """
    counted = tuple(
        TextCount(text.name, text.label, text.local, endpoint.count(text.text)) for text in texts
    )
    known = tokenizer if counted and all(text.local is not None for text in counted) else None
    return Counts(endpoint.service.maker, endpoint.model, endpoint.frame, known, counted)


@dataclass(frozen=True)
class Counts:
    """The tokens of texts as a maker's service counts them, beside this machine's own counts.

    Attributes:
        maker: The maker of the service.
        model: The model, as the service names it.
        frame: The tokens of a call without a text, subtracted from each count.
        tokenizer: The name of the tokenizer that counts here, or None.
        texts: The counts of each text.
    """

    maker: str
    model: str
    frame: int
    tokenizer: str | None
    texts: tuple[TextCount, ...]

    @property
    def basis(self) -> str:
        """Who counted for which model, and how many tokens were taken off each call, in words."""
        by = f"here by {self.tokenizer}, " if self.tokenizer else ""
        frame = f"{plural(self.frame, 'token')} of each call taken off"
        alone = f"{FRAMED!r} alone counts {self.frame + 1:,}"
        return f"{by}by {self.maker} for {self.model}, {frame}: {alone}"

    @property
    def words(self) -> str:
        """Whether a service's counts equal the local ones, in words, or how the first differs."""
        if self.tokenizer is None:
            return f"Tokens counted by {self.maker} for {self.model}"
        other = next((text for text in self.texts if text.local != text.service), None)
        if other is None:
            return f"{self.maker} counts the same"
        return f"{self.maker} counts {count(other.service)} for {other.label}: {other.words}"

    def table(self) -> list[list[str]]:
        """Return a table of a service's and the local counts: a header, and a row for each text."""
        lines = [
            [text.name, count(text.local), count(text.service), text.words] for text in self.texts
        ]
        return [["text", "here", "service", ""], *lines]

    def as_json(self) -> dict[str, Any]:
        """Return a service's and the local counts of each text as a dict for JSON."""
        rows = [
            {"text": text.name, "tokens": text.local, "service_tokens": text.service}
            for text in self.texts
        ]
        return {**vars(self), "texts": rows}

    @property
    def sum(self) -> TextCount:
        """A service's and the local counts of tokens, each summed over all texts."""
        local = sum(text.local or 0 for text in self.texts) if self.tokenizer else None
        return TextCount("sum", "sum", local, sum(text.service for text in self.texts))

    @property
    def matches(self) -> int:
        """The number of texts for which the service counts as many tokens as this machine."""
        return sum(text.local == text.service for text in self.texts)

    def interval(self, payloads: int) -> tuple[float, float] | None:
        """Return a 95 % interval of how a service's count of all payloads differs from the local.

        The two ends are fractions of the local count, by the ratio of sums in a sample from so many
        ``payloads``. Return None if the texts are too few, all counts are equal, or none is local.
        """
        many, total = len(self.texts), self.sum
        if many < _FEWEST or self.matches == many or not total.local:
            return None
        ratio = total.service / total.local
        left = sum((text.service - ratio * (text.local or 0)) ** 2 for text in self.texts)
        unseen = max(0.0, 1 - many / payloads)
        spread = _QUANTILE * sqrt(unseen * left * many / (many - 1)) / total.local
        return ratio - 1 - spread, ratio - 1 + spread

    def sample_json(self, payloads: int) -> dict[str, Any]:
        """Return a dict for JSON: a service's and the local sum of tokens of a sample's texts, and
        a 95 % interval of how they differ over all the ``payloads``, a number, it was drawn
        from.
        """
        return {
            **vars(self),
            "texts": len(self.texts),
            "payloads": payloads,
            "same": self.matches if self.tokenizer else None,
            "tokens": self.sum.local,
            "service_tokens": self.sum.service,
            "interval": self.interval(payloads),
        }

    def sample_lines(self, payloads: int) -> list[str]:
        """Return two sentences: how the texts were drawn from so many ``payloads``; the tokens of
        both counts, by the service and here, with a 95 % interval for all payloads where there
        is one.
        """
        many, total = len(self.texts), self.sum
        part = f"{count(many)} of {plural(payloads, 'payload')} as given, drawn at random"
        sums = f"{plural(total.service, 'token')} by the service"
        if total.local is not None:
            sums += f", {count(total.local)} here: {total.words}; the same for {self.matches:,}"
        if interval := self.interval(payloads):
            low, high = map(signed_percent, interval)
            sums += f"; over all payloads {low} to {high} (95 % interval)"
        return [f"{part}, {self.basis}", sums]
