"""Estimates for services that report token counts and publish no tokenizer: Claude and Grok.

Every piece of o200k_base has a weight, the sum of those of its features; an estimate is the sum of
the weights of a text's pieces. The weights of the features were fitted to what the services
reported for the prompts of the official benchmark.

Two rules keep an estimate to what the fit has seen. Its texts hold no tab and no pipe between
values, so both are estimated as commas are. And the same fit to some public tokenizers, the
witnesses, is tried on every text: where it is far off for one of them there is no estimate.

All weights are in ``fitted.json``, which ``python -m tests.benchmarks.models --fit FOLDER`` writes.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.estimates import Base, BasedEstimator, with_commas
from toon.tokenizers.facts import Error
from toon.tokenizers.open_models import OpenModelTokenizer
from toon.tokenizers.openai import OpenAITokenizer
from toon.tokenizers.strange import (
    is_of_it,
    long_numbers_share,
    tags_share,
    too_strange,
    words_share,
)
from toon.wording import percent

FILE: Final = Path(__file__).with_name("fitted.json")

#: Changes with the weights: estimates of other versions are other estimates.
ESTIMATORS_VERSION: Final = hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]

#: A piece is of one of these classes: digits, letters, blanks and line breaks, other signs, or a
#: mixture such as ``.com``. Bytes beyond ASCII are letters.
CLASSES: Final = ("numbers", "words", "whitespace", "punctuation", "mixtures")
#: What counts besides, for every character: of words, those after the fourth letter, and of numbers
#: those after the first digit.
EXTRAS: Final = (
    "capitals", "letters beyond four", "quotation marks", "line breaks", "digits beyond one"
)  # fmt: skip
FEATURES: Final = (*CLASSES, *EXTRAS)

#: Words are at most 0.55 of a payload of the fit, see ``words_share``, and 0.9 of prose.
MOST_WORDS: Final = 0.6
#: No payload of the fit has HTML, and some tokenizers have tokens for its tags.
MOST_TAGS: Final = 0.1
#: Numbers of nine digits and more are at most 0.02 of a payload of the fit.
MOST_LONG_NUMBERS: Final = 0.3
#: Letters beyond ASCII are at most 0.01 of one: here they may be a fifth of what others take.
MOST_LETTERS: Final = 0.2
#: Tokens a byte of TOON; payloads of the fit have up to 0.63.
MOST_OF_TOON: Final = 0.8

#: How far the same fit may be off for a witness, as a fraction of its tokens; of few tokens one or
#: two are more.
MOST_OFF: Final = 0.15
_FEW: Final = 2
#: A longer text is judged by so many parts of so many characters.
_PARTS: Final = 8
_PART: Final = 1_000

#: Tokens of the shortest texts of which the errors were measured.
FEWEST: Final = 20


class Fit(TypedDict):
    """One estimator of ``fitted.json``."""

    service: str  # the name of the model that its service reported counts for
    weights: dict[str, float]  # tokens for one unit of each feature
    frame: float  # tokens that every call has besides its text
    p95: float  # see ``Error``; of kinds of datasets that were left out of the fit
    prompts: int


class Elsewhere(TypedDict):
    """How far the method is off on payloads from elsewhere, for tokenizers that are known.

    Each was estimated with witnesses of other families alone. Of ``p95`` and ``difference``, see
    ``Error``, each is that of the worst kind of payload.
    """

    mean: float
    p95: float
    difference: float
    texts: int
    kinds: int
    tokenizers: int


class Fits(TypedDict):
    """The contents of ``fitted.json``."""

    estimators: dict[str, Fit]
    witnesses: dict[str, dict[str, float]]  # the weights of the same fit to their counts
    elsewhere: Elsewhere


@functools.cache
def read_file() -> Fits:
    """Return the contents of ``fitted.json``."""
    fits: Fits = json.loads(FILE.read_text(encoding="utf-8"))
    return fits


def read_fits() -> dict[str, Fit]:
    """Return each fit by its estimator's name."""
    return read_file()["estimators"]


def read_error() -> Error:
    """Return how far the estimates of every fit are off."""
    found = read_file()["elsewhere"]
    source = (
        f"the counts of {found['tokenizers']} public tokenizers, each estimated in the same way,"
        f" for {found['kinds']} kinds of payloads that no fit has seen"
    )
    figures = found["mean"], found["p95"], found["difference"], found["texts"]
    return Error(*figures, source, FEWEST)


class FittedEstimator(BasedEstimator):
    """The weighted pieces of o200k_base."""

    def __init__(
        self,
        name: str,
        label: str,
        evidence: str,
        error: Error | None,
        base: OpenAITokenizer,
        weights: Mapping[str, float],
        witnesses: Mapping[OpenModelTokenizer, Mapping[str, float]],
    ) -> None:
        super().__init__(name, label, evidence, error, base)
        self._vocabulary = base
        self._weights = _in_order(weights)
        self._witnesses = {each: _in_order(fit) for each, fit in witnesses.items()}
        self.witnesses = tuple(each.name for each in witnesses)

    @classmethod
    def read(
        cls, name: str, label: str, base: OpenAITokenizer, witnesses: Sequence[OpenModelTokenizer]
    ) -> Self:
        """Return the estimator of that name in ``fitted.json``."""
        fit, weights = read_fits()[name], read_file()["witnesses"]
        evidence = (
            f"Fitted to what {fit['service']} reported for {fit['prompts']:,} prompts of"
            f" toon-format's benchmark (f06ddca): 95 of 100 are within {percent(fit['p95'], 1)}"
            " of it, each kind of dataset estimated by a fit to the others."
        )
        known = {each: weights[each.name] for each in witnesses}
        return cls(name, label, evidence, read_error(), base, fit["weights"], known)

    def unmeasured(self, name: str, label: str, evidence: str) -> Self:
        """Return the same estimate for another model, for which nobody has measured the error."""
        other = copy.copy(self)
        other.name, other.label, other.evidence, other.error = name, label, evidence, None
        return other

    def _read(self, text: str) -> str:
        return with_commas(text)

    def _estimated(self, text: str) -> int:
        return int(self._weights_of(self._read(text)).sum() + 0.5)

    def _weights_of(self, text: str) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self._of_pieces[self.base.ids(text)]
        return weights

    def _unlike(self, text: str) -> str | None:
        return _unlike_the_fit(text) or super()._unlike(text) or self._doubted(text)

    def _unlike_beside(self, others: list[str]) -> str | None:
        """The first of the others is that with the most tokens a byte of what may be sent."""
        if unlike := super()._unlike_beside(others):
            return unlike
        if others and self._density(others[0]) > MOST_OF_TOON:
            return "in another format it would have a token for nearly every byte"
        return self._doubted(others[0]) if others else None

    def _doubted(self, text: str) -> str | None:
        """Return for which witness the same fit is how far off, or None if it is for none."""
        part = _parts_of(text)
        features = features_of(self.base, self._vocabulary, part)
        for witness, weights in self._witnesses.items():
            real = witness.count(part)
            off = abs(float(features @ weights) - real)
            if off > max(MOST_OFF * real, _FEW):
                return f"fitted to {witness.label}, it would be {percent(off / real)} off"
        return None

    @functools.cached_property
    def _of_pieces(self) -> NDArray[np.float64]:
        """The weight of every piece of the vocabulary, by its id."""
        return features_of_vocabulary(self._vocabulary) @ self._weights


def _in_order(weights: Mapping[str, float]) -> NDArray[np.float64]:
    return np.array([weights[name] for name in FEATURES])


def _parts_of(text: str) -> str:
    """Return a text, or evenly spaced parts of a long one."""
    if len(text) <= _PARTS * _PART:
        return text
    step = len(text) // _PARTS
    return "".join(text[start : start + _PART] for start in range(0, _PARTS * step, step))


def _unlike_the_fit(text: str) -> str | None:
    """Return what a text has too much of for a fit that has seen none of it."""
    if unlike := too_strange(text, MOST_LETTERS):
        return unlike
    if (words := words_share(text)) > MOST_WORDS:
        return is_of_it(words, "words, as in prose")
    if (tags := tags_share(text)) > MOST_TAGS:
        return is_of_it(tags, "HTML tags")
    if (numbers := long_numbers_share(text)) > MOST_LONG_NUMBERS:
        return is_of_it(numbers, "numbers of nine digits and more")
    return None


def features_of(base: Base, vocabulary: OpenAITokenizer, text: str) -> NDArray[np.float64]:
    """Return the features of a text, from the pieces that a tokenizer of that vocabulary finds."""
    features: NDArray[np.float64] = features_of_vocabulary(vocabulary)[
        base.ids(with_commas(text))
    ].sum(axis=0)
    return features


@functools.cache
def features_of_vocabulary(base: OpenAITokenizer) -> NDArray[np.float64]:
    """Return the features of every piece of a vocabulary, by its id; see ``piece_features``."""
    return piece_features(base.vocabulary())


def piece_features(pieces: Sequence[bytes]) -> NDArray[np.float64]:
    """Return a row for every piece, with as many columns as ``FEATURES``."""
    sizes = np.array([len(piece) for piece in pieces], np.int64)
    owners = np.repeat(np.arange(sizes.size), sizes)
    codes = np.frombuffer(b"".join(pieces), np.uint8)

    def count(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(owners[chosen], minlength=sizes.size)

    capitals = count((codes >= 0x41) & (codes <= 0x5A))
    letters = capitals + count((codes >= 0x61) & (codes <= 0x7A)) + count(codes >= 0x80)
    digits = count((codes >= 0x30) & (codes <= 0x39))
    breaks = count((codes == 0x0A) | (codes == 0x0D))
    blanks = count((codes == 0x20) | (codes == 0x09)) + breaks
    number = (digits > 0) & (digits == sizes)
    word = (letters > 0) & (letters + blanks == sizes)
    space = (blanks > 0) & (blanks == sizes)
    signs = (letters + digits == 0) & (blanks < sizes)
    mixture = (sizes > 0) & ~(number | word | space | signs)
    beyond = np.where(word, np.maximum(letters - 4, 0), 0)
    quotes = count(codes == 0x22)
    more = np.where(number, digits - 1, 0)
    columns = (number, word, space, signs, mixture, capitals, beyond, quotes, breaks, more)
    return np.column_stack(columns).astype(np.float64)
