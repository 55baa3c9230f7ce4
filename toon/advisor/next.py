"""The next thing to look at: what would help most with a payload."""

from typing import Final, TypedDict

from toon import limits
from toon.advisor.measure import Measurer
from toon.advisor.steps import STEPS
from toon.advisor.steps.base import StepOptions
from toon.costs.answer import answer
from toon.costs.document import Document
from toon.costs.explanation import ALONE, Explaining
from toon.costs.verdict import Verdict
from toon.costs.why import plain
from toon.costs.worth import SENDABLE, is_worth
from toon.formats import AS_TYPED, label
from toon.values.fractions import fraction
from toon.wording import capitalised, listed, plural, signed_percent


class Next(TypedDict):
    """A page to open for a payload, and its gain against the text to send now; "" if unknown.

    ``together`` is the number of payloads that share an explanation in the gain; None: as now.
    """

    page: str
    label: str
    gain: str
    together: int | None


class NextSteps(TypedDict):
    """The pages to open next; in ``flips`` a sentence on models that need another format, or ""."""

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

_UNTRIED: Final = "Send less: steps for a large payload"


def next_steps(document: Document, verdict: Verdict, explaining: Explaining = ALONE) -> NextSteps:
    """Return the page that would help most with a payload, and which models need another format.

    ``next`` holds that one page, or the page of all formats. ``flips`` is a sentence on the models,
    or "". A payload of more than ``NEXT_CHARACTERS`` is not tried with the steps of Send less: it
    gets the page without a gain, and no sentence. Where the verdict has nothing to compare, both
    are empty.

    Raises:
        ValueError: As for :func:`toon.costs.compare.compare`.
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    if verdict["nothing"]:
        return NO_STEPS
    is_small = len(document.text(AS_TYPED)) <= limits.NEXT_CHARACTERS
    step = _together(verdict)
    if step is None:
        step = _less(document, verdict, explaining) if is_small else _next("send-less", _UNTRIED)
    everything = _next("compare", f"All {plural(len(SENDABLE), 'format')}")
    flips = _flips(document, verdict, explaining) if is_small else ""
    return {"next": [step or everything], "flips": flips}


def _next(page: str, label: str, gain: str = "", together: int | None = None) -> Next:
    return {"page": page, "label": label, "gain": gain, "together": together}


def _now(verdict: Verdict) -> float:
    """Return the tokens of what an answer says to send, which may be today's text."""
    return verdict["cost"] if verdict["switch"] else verdict["ladder"][0]["cost"]


def _gain(cost: float, verdict: Verdict) -> str:
    return signed_percent(fraction(cost, _now(verdict)))


def _flips(document: Document, verdict: Verdict, explaining: Explaining) -> str:
    """Say which families of models need a payload in another format; "" if none does."""
    others: dict[str, list[str]] = {}
    for name, families in _FAMILIES.items():
        send = _sent(answer(document, name, explaining))
        if name != verdict["tokenizer"] and send != _sent(verdict):
            others.setdefault(send, []).append(families)
    words = "; ".join(f"{send} for {listed(names)}" for send, names in others.items())
    return capitalised(words)


def _sent(verdict: Verdict) -> str:
    return plain(verdict["format"]) if verdict["switch"] else verdict["ladder"][0]["label"]


def _together(verdict: Verdict) -> Next | None:
    """Return the format that pays once more payloads share its explanation, as a page to open; None
    if none does."""
    even, last = verdict["break_even"], verdict["ladder"][-1]
    if even is None or last["format"] == even["format"]:
        return None
    once = even["explanation"] * verdict["explanation_price"]
    tokens = last["tokens"] - even["saved"] + once / even["payloads"]
    if not is_worth(tokens, _now(verdict)):
        return None
    words = f"{label(even['format'])} with {plural(even['payloads'], 'payload')} in a prompt"
    return _next("playground", words, _gain(tokens, verdict), even["payloads"])


def _less(document: Document, verdict: Verdict, explaining: Explaining) -> Next | None:
    """Return the page Send less with its best steps, self-contained if that pays, or None."""
    measurer = Measurer(document, StepOptions(verdict["tokenizer"], explaining=explaining))
    best = measurer.best()
    if is_worth(best["cost"], _now(verdict)):
        steps = [STEPS[name].label for name in best["steps"] if name != "format"]
        words = f"Send less: {', '.join(steps[:2])}"
        return _next("send-less", words, _gain(best["cost"], verdict))
    row = next(iter(measurer.alone()), None)
    if row is None or not is_worth(row["cost"], _now(verdict)):
        return None
    words = f"Send less, {row['kind'].replace('-', ' ')}: {STEPS[row['steps'][0]].label.lower()}"
    return _next("send-less", words, _gain(row["cost"], verdict))
