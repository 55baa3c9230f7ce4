"""The page of the app to open next: what would help most with a payload."""

from typing import Final, TypedDict

from toon import limits
from toon.advisor.measure import Measurer
from toon.advisor.steps import STEPS
from toon.advisor.steps.base import StepOptions
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Verdict
from toon.costs.why import family
from toon.costs.worth import SENDABLE, is_worth
from toon.formats import AS_TYPED, label
from toon.values.fractions import fraction
from toon.wording import capitalised, listed, plural, signed_percent


class Next(TypedDict):
    """A page of the app to open next for a payload: its name, a label, and the change of tokens
    that it brings in per cent (``gain``), "" if unknown.

    ``together`` is the number of payloads that share an explanation in the gain; None: as now.
    """

    page: str
    label: str
    gain: str
    together: int | None


class NextSteps(TypedDict):
    """The pages to open next; in ``flips`` a sentence on models that need another format or ""."""

    next: list[Next]
    flips: str


NO_STEPS: Final[NextSteps] = {"next": [], "flips": ""}

#: Tokenizers of the models that most people pay for, and the names of those models.
_FAMILIES: Final = {
    "o200k_base": "GPT",
    "claude_4_8": "Claude from 4.8 on",
    "claude_3": "Claude to 4.6",
    "gemma3": "Gemini",
}


def next_steps(document: Document, verdict: Verdict, explaining: Explaining = ALONE) -> NextSteps:
    """Return the page of the app that would help most with a payload, and a sentence on models that
    need another format than the verdict's.

    ``next`` holds that one page, or the page of all formats. ``flips`` is the sentence, or "". A
    payload of more than ``NEXT_CHARACTERS`` is not tried with the steps of Send less: it gets the
    page without a gain, and no sentence. Where the verdict has nothing to compare, both are empty.

    Raises:
        ValueError: As for :func:`toon.costs.compare.compare`.
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    if verdict["nothing"]:
        return NO_STEPS
    is_small = len(document.text(AS_TYPED)) <= limits.NEXT_CHARACTERS
    # What the answer says to send, which may be today's text.
    now = verdict["cost"] if verdict["switch"] else verdict["ladder"][0]["cost"]
    options = StepOptions(verdict["tokenizer"], explaining=explaining)
    step = _sharing_page(verdict, now)
    if step is None and is_small:
        step = _shortening_page(Measurer(document, options), now)
    elif step is None:
        step = _page("send-less", "Send less: steps for a large payload")
    everything = _page("compare", f"All {plural(len(SENDABLE), 'format')}")
    flips = _flip_words(document, verdict, explaining) if is_small else ""
    return {"next": [step or everything], "flips": flips}


def _page(page: str, label: str, gain: float | None = None, together: int | None = None) -> Next:
    words = "" if gain is None else signed_percent(gain)
    return {"page": page, "label": label, "gain": words, "together": together}


def _flip_words(document: Document, verdict: Verdict, explaining: Explaining) -> str:
    """Say which families of models should get a payload in another format; "" if none should."""

    def name_way(verdict: Verdict) -> str:
        return family(verdict["format"]) if verdict["switch"] else verdict["ladder"][0]["label"]

    others: dict[str, list[str]] = {}
    for name, families in _FAMILIES.items():
        send = name_way(answer(document, name, explaining))
        if name != verdict["tokenizer"] and send != name_way(verdict):
            others.setdefault(send, []).append(families)
    return capitalised("; ".join(f"{send} for {listed(names)}" for send, names in others.items()))


def _sharing_page(verdict: Verdict, now: float) -> Next | None:
    """Return a page on the format that pays once more payloads share its explanation, or None."""
    even, last = verdict["break_even"], verdict["ladder"][-1]
    if even is None or last["format"] == even["format"]:
        return None
    once = even["explanation"] * verdict["explanation_price"]
    tokens = last["tokens"] - even["saved"] + once / even["payloads"]
    if not is_worth(tokens, now):
        return None
    words = f"{label(even['format'])} with {plural(even['payloads'], 'payload')} in a prompt"
    return _page("playground", words, fraction(tokens, now), even["payloads"])


def _shortening_page(measurer: Measurer, now: float) -> Next | None:
    """Return the page Send less with the best steps, self-contained ones if they bring a payload
    below ``now`` tokens by enough, else the best of the others; None if none does.
    """
    best = measurer.best_row()
    if is_worth(best["cost"], now):
        steps = [STEPS[name].label for name in best["steps"] if name != "format"]
        return _page("send-less", f"Send less: {', '.join(steps[:2])}", fraction(best["cost"], now))
    row = next(iter(measurer.single_rows()), None)
    if row is None or not is_worth(row["cost"], now):
        return None
    words = f"Send less, {row['kind'].replace('-', ' ')}: {STEPS[row['steps'][0]].label.lower()}"
    return _page("send-less", words, fraction(row["cost"], now))
