"""Estimates for services that report token counts and publish no tokenizer: Claude and Grok.

Every piece of o200k_base has a weight, the sum of those of its features; an estimate is the sum of
the weights of a text's pieces. The weights of the features were fitted to what the services
reported for the prompts of the official benchmark. They are in ``fitted.json``, which
``python -m tests.benchmarks.models --fit FOLDER`` writes.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from toon.tokenizers.estimates import BasedEstimator
from toon.tokenizers.facts import Error
from toon.tokenizers.openai import OpenAITokenizer
from toon.tokenizers.strange import is_of_it, tags_share, words_share

FILE: Final = Path(__file__).with_name("fitted.json")

#: Changes with the weights: estimates of other versions are other estimates.
ESTIMATORS_VERSION: Final = hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]

#: A piece is of one of these classes: digits, letters, blanks and line breaks, other signs, or a
#: mixture such as ``.com``. Bytes beyond ASCII are letters.
CLASSES: Final = ("numbers", "words", "whitespace", "punctuation", "mixtures")
#: What counts besides, for every character: of words, those after the fourth letter.
EXTRAS: Final = ("capitals", "letters beyond four", "quotation marks", "line breaks")
FEATURES: Final = (*CLASSES, *EXTRAS)

#: Words are at most 0.55 of a payload of the fit, see ``words_share``, and 0.9 of prose.
MOST_WORDS: Final = 0.6
#: No payload of the fit has HTML, and some tokenizers have tokens for its tags.
MOST_TAGS: Final = 0.1


class Fit(TypedDict):
    """One estimator of ``fitted.json``."""

    service: str  # the name of the model that its service reported counts for
    weights: dict[str, float]  # tokens for one unit of each feature
    frame: float  # tokens that every call has besides its text
    mean: float  # the mean absolute error on datasets that were left out of the fit
    p95: float
    difference: float  # see ``Error``
    prompts: int
    fewest: int  # tokens of the shortest of them


@functools.cache
def read_fits() -> dict[str, Fit]:
    """Return the contents of ``fitted.json``: each fit by its estimator's name."""
    fits: dict[str, Fit] = json.loads(FILE.read_text(encoding="utf-8"))
    return fits


class FittedEstimator(BasedEstimator):
    """The weighted pieces of o200k_base."""

    def __init__(self, name: str, label: str, base: OpenAITokenizer) -> None:
        fit = read_fits()[name]
        source = (
            f"{fit['service']}'s own counts of {fit['prompts']:,} prompts of toon-format's"
            " benchmark, each dataset estimated by a fit to the others"
        )
        super().__init__(
            name,
            label,
            f"Fitted to what {fit['service']} reported for {fit['prompts']:,} prompts of"
            f" toon-format's benchmark (f06ddca), of {fit['fewest']:,} tokens and more.",
            Error(
                fit["mean"], fit["p95"], fit["difference"], fit["prompts"], source, fit["fewest"]
            ),
            base,
        )
        self._weights = fit["weights"]
        self._vocabulary = base

    def unmeasured(self, name: str, label: str, evidence: str) -> Self:
        """Return the same estimate for another model, for which nobody has measured the error."""
        other = copy.copy(self)
        other.name, other.label, other.evidence, other.error = name, label, evidence, None
        return other

    def _estimated(self, text: str) -> int:
        return int(self._weights_of(text).sum() + 0.5)

    def _weights_of(self, text: str) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self._of_pieces[self.base.ids(text)]
        return weights

    def _unlike(self, text: str) -> str | None:
        if unlike := super()._unlike(text):
            return unlike
        if (words := words_share(text)) > MOST_WORDS:
            return is_of_it(words, "words, as in prose")
        if (tags := tags_share(text)) > MOST_TAGS:
            return is_of_it(tags, "HTML tags")
        return None

    @functools.cached_property
    def _of_pieces(self) -> NDArray[np.float64]:
        """The weight of every piece of the vocabulary, by its id."""
        weights = np.array([self._weights[name] for name in FEATURES])
        of_pieces: NDArray[np.float64] = features_of_vocabulary(self._vocabulary) @ weights
        return of_pieces


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
    columns = (number, word, space, signs, mixture, capitals, beyond, quotes, breaks)
    return np.column_stack(columns).astype(np.float64)
