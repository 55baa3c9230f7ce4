"""A tour of five steps. Each is a link to a real state, and says one sentence with its figure.

The address holds the step in its parameter ``tour``, so that a link leads there from anywhere.

Session state:
    tour: The number of the step, from 1 on; None where nobody is on a tour.
    tour_seen: The path of the page that was drawn last.
    tour_before: What the editors held before the tour, as the options of ``open_document``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts import controls, payload
from pages.parts.advisor.headline import enough_words
from pages.parts.advisor.measured import Setting, measure_steps
from pages.parts.markdown import escape_markdown
from pages.parts.samples import sample_payloads, spaced
from toon.costs.headline import Picture, captioned
from toon.costs.models import Choice
from toon.playground.panes import Pane, Side
from toon.wording import marked, percent, plural

#: The sample of the tour: the case in which a format helps most.
SAMPLE: Final = "uniform-rows"
_PARAMETER: Final = "tour"
#: The name of the fragment that draws the bar.
_BAR: Final = "tour"


class Facts(NamedTuple):
    """What the sentences are made of: a payload, its answer, and the model chosen on any page."""

    data: Pane
    picture: Picture
    choice: Choice

    def about(self, figure: str) -> str:
        """A figure with ≈ before it where it is an estimate."""
        return marked(figure, exact=self.picture.verdict["exact"])


class Stop(NamedTuple):
    """A step: its title, its page and the tab that is open there, and its sentence."""

    title: str
    page: str
    tab: str | None
    say: Callable[[Facts], str]


def _say_payload(facts: Facts) -> str:
    model = facts.choice.model
    cost = facts.about(plural(facts.picture.verdict["ladder"][0]["cost"], "token"))
    counted = model.label if model else f"the tokenizer {facts.choice.tokenizer}"
    return f"{plural(len(facts.data.text), 'character')} are {cost} to {counted}"


def _say_bill(facts: Facts) -> str:
    return facts.picture.verdict["lead"]


def _say_places(facts: Facts) -> str:
    bars = [bar for bar in facts.picture.bars if bar["look"] != "apart"]
    shares = [
        f"{facts.about(percent(bar['kinds'][-1] / sum(bar['kinds'])))} of {bar['label']}"
        for bar in (bars if len(bars) < 3 else [bars[0], bars[-1]])
    ]
    return f"Values are {' and '.join(shares)}; names, punctuation and whitespace are the rest"


def _say_help(facts: Facts) -> str:
    setting = Setting(facts.choice.tokenizer, None, controls.explaining())
    return enough_words(measure_steps(facts.data, setting)["best"])


def _say_worth(facts: Facts) -> str:
    money = captioned(facts.picture, facts.choice, controls.traffic())["money"]
    return f"What to send {money}" if money else "No price is known for this model"


STOPS: Final = (
    Stop("a payload", "playground", None, _say_payload),
    Stop("its bill", "compare", "Ranking", _say_bill),
    Stop("where it goes", "compare", "Where the tokens go", _say_places),
    Stop("what helps", "advisor", None, _say_help),
    Stop("what it is worth", "compare", "Money", _say_worth),
)


def sentence(stop: Stop) -> str:
    """What a step says of the payload that is open, by the one answer."""
    choice = controls.chosen_model()
    try:
        data = payload.read()
        if data is None:
            return "The text in the playground cannot be read"
        picture = payload.pictured(data, choice.tokenizer, controls.explaining())
        return picture.verdict["nothing"] or stop.say(Facts(data, picture, choice))
    except (RuntimeError, ValueError) as error:  # no such tokenizer, a limit, too deep nesting
        return str(error)


def follow(page: StreamlitPage) -> None:
    """Takes the step that the address names."""
    asked = str(st.query_params.get(_PARAMETER, ""))
    if asked in map(str, range(1, len(STOPS) + 1)) and int(asked) != st.session_state.get("tour"):
        _take(int(asked))
        if page.url_path == st.session_state.get("tour_seen"):
            # A link from a page to itself leaves the address as it is; this changes it.
            st.query_params[_PARAMETER] = asked
    st.session_state.tour_seen = page.url_path


def hold(side: Side, text: str, name: str, *, sample: bool, kept: str | None) -> bool:
    """Puts what the browser brings back aside until the end of the tour; takes what is to open.

    Returns whether it did. A session that starts on the tour is brought something once, after its
    step was taken: this must not replace the sample. What is opened later is meant to be shown.
    """
    session = st.session_state
    if not session.get("tour") or not session.document["first"]:
        return False
    session.tour_before = {"side": side, "text": text, "name": name, "sample": sample, "kept": kept}
    session.document["first"] = False
    return True


def draw_bar(page: StreamlitPage) -> None:
    """Draws the step of whoever is on the tour."""
    if st.session_state.get("tour"):
        _draw_bar(page.url_path)


def fragments() -> list[str]:
    """The fragment that says something about the text in the editors, if it is drawn."""
    return [_BAR] if st.session_state.get("tour") else []


def draw_entrance() -> None:
    """A button that opens the list of the steps."""
    # A link from a page to itself leaves the list open; one of another key is closed.
    with st.popover("Tour", key=f"tour_list_{st.session_state.get('tour')}"):
        st.markdown(
            f"Five steps on the sample “{spaced(SAMPLE)}”. What the editors hold now comes back "
            "at the end."
        )
        for number, stop in enumerate(STOPS, 1):
            _draw_link(number, f"{number}. {stop.title.capitalize()}")


def _take(number: int) -> None:
    """Makes the state of a step; the first one that is taken opens the sample."""
    session, stop = st.session_state, STOPS[number - 1]
    if not session.get("tour"):
        payload.start()
        document, text = session.document, session.source["text"]
        is_given = text == document["text"]
        session.tour_before = {
            "side": session.source["side"],
            "text": text,
            "name": document["name"] if is_given else payload.name(),
            "sample": document["sample"] and is_given,
        }
        payload.open_document("json", sample_payloads()[SAMPLE], SAMPLE, sample=True)
        # A link's sample must not replace what an open page shows: the server was started again.
        session.document["first"] = "tour_seen" not in session
    if stop.tab:
        session[f"{stop.page}_tab"] = stop.tab
    session.tour = number


@st.fragment(key=_BAR)
def _draw_bar(path: str) -> None:
    number: int = st.session_state.tour
    stop = STOPS[number - 1]
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="tour_bar"):
        st.markdown(
            f"**Step {number} of {len(STOPS)}: {stop.title}.** {escape_markdown(sentence(stop))}."
        )
        if path != _path(stop):
            _draw_link(number, "Return to it")
        else:
            if number > 1:
                _draw_link(number - 1, "Back")
            if number < len(STOPS):
                _draw_link(number + 1, "Next")
        if st.button("End", key="tour_end"):
            _end()


def _path(stop: Stop) -> str:
    """The path of a step's page."""
    return {"playground": "", "advisor": "send-less"}.get(stop.page, stop.page)


def _draw_link(number: int, label: str) -> None:
    page, parameters = f"{STOPS[number - 1].page}.py", {_PARAMETER: str(number)}
    st.page_link(page, label=label, query_params=parameters)


def _end() -> NoReturn:
    """Ends the tour. If its sample is still open, the editors get back what they held before."""
    session = st.session_state
    session.tour = None
    if session.source["text"] == sample_payloads()[SAMPLE]:
        payload.open_document(**session.tour_before)
    st.switch_page("playground.py")
