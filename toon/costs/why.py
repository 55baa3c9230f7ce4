"""What to do with a payload, and why, in numbers that a reader can check against the bars.

Every figure includes the note to the model, and is whole: parts are rounded so that they add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, starmap
from typing import Final, Literal, NamedTuple

from toon.costs.answer import answer
from toon.costs.choice import COMPACT, worth_from
from toon.costs.document import Document
from toon.costs.explanation import Explaining
from toon.costs.verdict import Rung, Verdict, climb
from toon.formats import AS_TYPED, READ, label
from toon.formats.json import JsonFormat, minified
from toon.formats.toon import ToonFormat
from toon.layout.spans import KINDS
from toon.values.fractions import fraction
from toon.values.json_text import repeats_keys
from toon.wording import capitalised, count, plural, signed_count, together, whole_percent

#: TOON as its current specification writes it, with each delimiter.
TOONS: Final = ("toon", "toon-tab", "toon-pipe")

#: Which text is asked for.
Wish = Literal["best", "minified", "untested"]

#: What a format does that makes it shorter, by the kinds of text that it saves most of.
_HOW: Final = {
    "names": "names once",
    "punctuation": "less punctuation",
    "whitespace": "less whitespace",
    "values": "values written shorter",
}
#: How minifying saves where it leaves all as it was but whitespace.
_PLAINLY: Final = "any JSON library does that"


class Step(NamedTuple):
    """A rung, and what is said of the step to it.

    ``credit`` is a sentence, "" where the step changes nothing. ``how`` says in few words beside
    the bar by what the step saves; ``told`` is the sentence where that does not say all of it, or
    "". A step apart is not to be taken (yet).
    """

    rung: Rung
    credit: str = ""
    how: str = ""
    told: str = ""
    is_apart: bool = False


def whole(parts: Sequence[float], total: float) -> list[int]:
    """The parts as whole numbers that add up to the total as it is shown, by largest remainders."""
    floors = [int(part) for part in parts]
    missing = round(total) - sum(floors)
    places = range(len(parts))
    ranked = sorted(places, key=lambda place: floors[place] - parts[place])
    raised = set(ranked[: max(0, missing)])
    return [floors[place] + (place in raised) for place in places]


def plain(name: str) -> str:
    """What a format is called in a sentence, without its delimiter: ``TOON``."""
    return label(name).partition(",")[0]


def act(verdict: Verdict) -> str:
    """Return what to do: ``Send TOON``."""
    (today, *_), best = verdict["ladder"], verdict["format"]
    if today["format"] == AS_TYPED and not verdict["switch"]:
        return f"Keep {today['label']}"
    if best == COMPACT:
        return "Minify it, and keep JSON" if _is_typed_json(verdict) else f"Send {label(COMPACT)}"
    return f"Send {plain(best)}"


def shared(verdict: Verdict, steps: Sequence[Step]) -> str:
    """How much of what is saved is minifying's, where that takes whitespace alone away; or "".

    The shares are of the first text, and add up as they are shown.
    """
    taken = [step for step in steps if not step.is_apart]
    if not verdict["switch"] or _PLAINLY not in taken[1].credit:
        return ""
    if len(taken) == 2:
        return "The same JSON, only without whitespace."
    safe, total = (round(-100 * (step.rung["vs_today"] or 0)) for step in taken[1:])
    if not 0 < safe < total:
        return ""
    by = plain(taken[-1].rung["format"])
    return f"Minifying saves {safe}\u202f% without risk, {by} {total - safe} points more."


def _is_typed_json(verdict: Verdict) -> bool:
    """Whether the step to compact JSON minifies what somebody typed."""
    is_json = isinstance(READ[verdict["written_in"]], JsonFormat)
    return is_json and verdict["ladder"][0]["format"] == AS_TYPED


def sent(document: Document, tokenizer: str, explaining: Explaining, wish: Wish = "best") -> str:
    """Return the text to send, behind its note to the model.

    It is the text as typed where that is to be kept. An untested format that is not offered is
    answered with what is recommended.

    Raises:
        RuntimeError: The tokenizer cannot be loaded; the message says what is missing.
    """
    if wish == "minified":
        return document.text(COMPACT, tokenizer)
    verdict = answer(document, tokenizer, explaining)
    if wish == "untested" and (untested := verdict["untested"]):
        name, explanation = untested["format"], untested["explanation"]
        note = explaining.text(name, document.uses(name, tokenizer)) if explanation else ""
    else:
        name = verdict["format"] if verdict["switch"] else verdict["today"]
        note = note_before(document, verdict, explaining)
    text = document.text(name, tokenizer)
    return f"{note}\n\n{text}" if note else text


def note_before(document: Document, verdict: Verdict, explaining: Explaining) -> str:
    """The note to the model that goes before what to send; "" where that needs none."""
    name = verdict["format"]
    if not verdict["explanation"] or not (verdict["switch"] or name == verdict["today"]):
        return ""
    return explaining.text(name, document.uses(name, verdict["tokenizer"]))


def minifying(document: Document, today: str, tokenizer: str) -> tuple[str, str]:
    """By what the step from ``today`` to compact JSON saves, and how; "" where there is no more."""
    if not isinstance(document.format(today), JsonFormat):
        return capitalised(label(COMPACT)), ""
    text = document.text(today, tokenizer)
    if minified(text) == document.text(COMPACT, tokenizer):
        return "Minifying", _PLAINLY
    if repeats_keys(text):
        return "Minifying", "of keys that come again the last counts, as for JSON readers"
    return "Minifying", ""


def credited(before: Rung, after: Rung, by: str, how: str, *, more: bool) -> str:
    """By what a step saves how many tokens, and how; ``more`` on top of the rung before; or ""."""
    saved = round(before["cost"]) - round(after["cost"])
    if not saved:
        return ""
    words = f"{by} {'saves' if saved > 0 else 'adds'} {count(abs(saved))}"
    if more:
        change = whole_percent(fraction(after["cost"], before["cost"]))
        words += f" more, {change} vs {before['label']}"
    return f"{words}{how and f': {how}'}."


def shares(document: Document, rung: Rung, tokenizer: str) -> list[float]:
    """The tokens of a rung by kind, and those of its note: they add up to its cost."""
    kinds = document.figures(rung["format"], tokenizer)["breakdown"]
    parts = [kinds["names"], kinds["punctuation"], kinds["whitespace"], kinds["values"]]
    return [*parts, rung["explanation"]]


def _toon_rung(document: Document, verdict: Verdict) -> Rung | None:
    """The cheapest TOON as a rung beside the ladder; None where TOON is sent, or cannot be."""
    last = verdict["ladder"][-1]
    if any(isinstance(READ[verdict[name]], ToonFormat) for name in ("format", "written_in")):
        return None
    costs = {name: verdict["tried"][name] for name in TOONS if name in verdict["tried"]}
    if not costs:
        return None
    name = min(costs, key=lambda each: costs[each])
    ends = [
        (rung["format"], rung["label"], rung["tokens"], rung["cost"])
        for rung in (verdict["ladder"][0], last)
    ]
    tokens = document.tokens(name, verdict["tokenizer"])
    return climb([*ends, (name, label(name), tokens, costs[name])])[-1]


def find_steps(document: Document, verdict: Verdict, explaining: Explaining) -> list[Step]:
    """Return the rungs of the ladder with their credits, then TOON if it is not what to send."""
    reasons = _Reasons(document, verdict, explaining)
    steps = [Step(verdict["ladder"][0]), *starmap(reasons.step, pairwise(verdict["ladder"]))]
    toon = _toon_rung(document, verdict)
    return [*steps, reasons.of_toon(toon)] if toon else steps


def _told(rung: Rung, sentence: str, *, is_apart: bool = False) -> Step:
    return Step(rung, sentence, told=sentence, is_apart=is_apart)


class _Reasons:
    """The sentences about one verdict."""

    def __init__(self, document: Document, verdict: Verdict, explaining: Explaining) -> None:
        self.document, self.verdict, self.explaining = document, verdict, explaining
        self.today, self.best = verdict["ladder"][0], verdict["ladder"][-1]
        rungs = {rung["format"]: rung for rung in verdict["ladder"]}
        self.compact = rungs[COMPACT]

    def step(self, before: Rung, after: Rung) -> Step:
        """What the step from one rung to the next saves; after minifying, on top of that."""
        if after is not self.compact:
            by, how = plain(after["format"]), self.how(before, after)
        elif after["cost"] == before["cost"]:
            return _told(after, "It is minified already.")
        else:
            by, how = minifying(self.document, AS_TYPED, self.tokenizer)
        more = self.compact not in (self.today, after)
        sentence = credited(before, after, by, how, more=more)
        said = "" if how == _PLAINLY else how
        if after["cost"] >= before["cost"] or (after is self.compact and said):
            return _told(after, sentence)
        return Step(after, sentence, said)

    def how(self, before: Rung, after: Rung) -> str:
        """How a format saves: the kinds of text that bring at least half of what the first does."""
        changes = self.changes(after, before)
        most = min(changes[name] for name in KINDS)
        return ", ".join(_HOW[name] for name in KINDS if 2 * changes[name] <= most < 0)

    def of_toon(self, toon: Rung) -> Step:
        """TOON's own part where it is not what to send: how much more it takes, and until when."""
        more = round(toon["cost"]) - round(self.best["cost"])
        if more <= 0:
            return _told(toon, f"TOON takes as much: {count(toon['cost'])}.", is_apart=True)
        if self.best is not self.compact:
            note = self.changes(toon, self.best)["note"]
            of_note, of_text = signed_count(note), signed_count(more - note)
            than = f"{count(more)} more than {label(self.best['format'])}"
            takes = f"TOON takes {count(toon['cost'])}, {than}"
            sentence = f"{takes}: {of_note} for its note, {of_text} for its text."
            how = f"{than}: {of_note} note, {of_text} text"
            return Step(toon, sentence, how, is_apart=True)
        return _told(toon, self.of_toon_against_compact(toon, more), is_apart=True)

    def of_toon_against_compact(self, toon: Rung, more: int) -> str:
        """How much more TOON takes than minified JSON, and from how many payloads on it is less."""
        once = self.explaining.priced(
            self.document.explanation(toon["format"], self.tokenizer, self.explaining)
        )
        payloads = worth_from(toon["tokens"], self.compact["cost"], once)
        if payloads is None or self.explaining.together is None:
            than = f"{count(more)} more than {label(COMPACT)}"
            return f"TOON costs {than}: {self.parted(toon)}."
        totals = payloads * toon["tokens"] + once, payloads * self.compact["cost"]
        return (
            f"TOON beats {label(COMPACT)} from {plural(payloads, 'payload')} in a prompt: "
            f"{' against '.join(map(count, totals))}. Alone, this one costs "
            f"{count(more)} more as TOON: the note takes {count(once)}."
        )

    def parted(self, toon: Rung) -> str:
        """By which kinds of text TOON takes more than minified JSON, and by which it takes less."""
        changes = self.changes(toon, self.compact)
        names = {**dict.fromkeys(KINDS), "note": None}
        called = {"note": "its note", "whitespace": "line ends and indentation"}
        said = [(called.get(name, name), changes[name]) for name in names]
        added = [f"{count(abs(change))} for {name}" for name, change in said if change > 0]
        spared = [f"{count(abs(change))} for {name}" for name, change in said if change < 0]
        words = f"it adds {together(added)}"
        return f"{words}, and saves only {together(spared)}" if spared else words

    def changes(self, rung: Rung, before: Rung) -> dict[str, int]:
        """How many tokens more a rung has than another, of each kind and of the note."""
        now, then = (
            whole(shares(self.document, each, self.tokenizer), each["cost"])
            for each in (rung, before)
        )
        names: Iterable[str] = (*KINDS, "note")
        return {name: new - old for name, new, old in zip(names, now, then, strict=True)}

    @property
    def tokenizer(self) -> str:
        return self.verdict["tokenizer"]
