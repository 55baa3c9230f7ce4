"""What a service counts beside ours: for the texts of a payload, and for a sample of many."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.server import KEY, serving
from tests.words import COMPACT
from toon.costs.document import Document, Typed
from toon.services import SERVICES
from toon.services.comparing import Counts, TextCount, count_texts, list_texts, sample, sent_words
from toon.services.endpoint import Endpoint, ServiceError
from toon.tokenizers import get
from toon.wording import signed_percent

PRETTY = '[\n  {"id": 1, "name": "Ada"},\n  {"id": 2, "name": "Bob"}\n]'
MINIFIED = '[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]'
TOON = "[2]{id,name}:\n  1,Ada\n  2,Bob"


def document(text: str = PRETTY) -> Document:
    return Document(Typed(text).read_json(), Typed(text))


def counts(*pairs: tuple[int, int]) -> Counts:
    """Counts here and by a service, of texts without names."""
    texts = tuple(TextCount("", "", here, service) for here, service in pairs)
    return Counts("Anthropic", "m", 7, "claude_3", texts)


def test_the_texts_are_the_payload_as_typed_minified_as_toon_and_as_recommended() -> None:
    texts = {text.name: text for text in list_texts(document(), "qwen3", "toon-tab")}

    assert [(text.label, text.text) for text in texts.values()] == [
        ("your JSON", PRETTY),
        (COMPACT, MINIFIED),
        ("TOON", TOON),
        ("TOON, tab", "[2\t]{id\tname}:\n  1\tAda\n  2\tBob"),
    ]
    assert [text.local for text in texts.values()] == [
        get("qwen3").count(text.text) for text in texts.values()
    ]


def test_without_a_tokenizer_of_the_model_nothing_is_counted_here() -> None:
    for tokenizer in (None, "chars4"):
        texts = list_texts(Document.of([1]), tokenizer, None)
        assert [(text.name, text.local) for text in texts] == [
            ("json-compact", None), ("toon", None),
        ]  # fmt: skip


def test_equal_counts_are_said_to_be_the_same_and_others_by_how_much() -> None:
    texts = list_texts(document(), "claude_3", None)

    def count(text: str) -> int:
        return get("claude_3").count(text) + {MINIFIED: 3, TOON: -1}.get(text, 0)

    with serving("anthropic", count) as server:
        endpoint = Endpoint(SERVICES["anthropic"], "m", server.base, KEY, {})
        counted = count_texts(endpoint, texts, "claude_3")
        assert server.texts == ["x", *(text.text for text in texts)]

    here = [text.local or 0 for text in texts]
    assert [text.words for text in counted.texts] == [
        "the service counts the same",
        f"3 tokens more ({signed_percent(3 / here[1])})",
        f"1 token fewer ({signed_percent(-1 / here[2])})",
    ]
    assert counted.basis == (
        "here by claude_3, by Anthropic for m, 7 tokens of each call taken off: 'x' alone counts 8"
    )
    more = f"3 tokens more ({signed_percent(3 / here[1])})"
    assert counted.words == f"Anthropic counts {here[1] + 3} for {COMPACT}: {more}"
    assert replace(counted, texts=counted.texts[:1]).words == "Anthropic counts the same"
    assert counted.as_json() == {
        "maker": "Anthropic",
        "model": "m",
        "frame": 7,
        "tokenizer": "claude_3",
        "texts": [
            {"text": "as-typed", "tokens": here[0], "service_tokens": here[0]},
            {"text": "json-compact", "tokens": here[1], "service_tokens": here[1] + 3},
            {"text": "toon", "tokens": here[2], "service_tokens": here[2] - 1},
        ],
    }


def test_a_text_that_is_not_counted_is_an_error_and_nothing_stands_for_it() -> None:
    texts = list_texts(document(), "claude_3", None)
    with serving("anthropic") as server:
        server.script = lambda number, call: server.refuse(500, "down") if number == 2 else None
        endpoint = Endpoint(SERVICES["anthropic"], "m", server.base, KEY, {})
        with pytest.raises(ServiceError, match=r"refuses \(500\): down"):
            count_texts(endpoint, texts, "claude_3")
        assert count_texts(endpoint, texts, "claude_3").texts[1].service == len(MINIFIED)


def test_where_nothing_counts_here_the_figure_is_the_services_alone() -> None:
    with serving("xai") as server:
        endpoint = Endpoint(SERVICES["xai"], "grok", server.base, KEY, {})
        counted = count_texts(endpoint, list_texts(document(), None, None), None)

    assert counted.basis == ("by xAI for grok, 0 tokens of each call taken off: 'x' alone counts 1")
    assert counted.words == "Tokens counted by xAI for grok"
    assert counted.table()[1] == ["as-typed", "\u2013", str(len(PRETTY)), ""]
    assert counted.sample_lines(9)[1:] == [f"{len(PRETTY + MINIFIED + TOON)} tokens by the service"]


def test_what_is_sent_is_said() -> None:
    texts = list_texts(Document.of(["é"]), None, None)
    assert sent_words(texts) == "2 texts of 13 bytes, and 'x' alone,"


@given(st.integers(0, 60), st.integers(1, 40))
def test_a_sample_is_of_the_payloads_and_the_same_each_time(many: int, most: int) -> None:
    payloads = [str(number) for number in range(many)]
    texts = [text.text for text in sample(payloads, most, None)]

    assert len(texts) == len(set(texts)) == min(many, most)
    assert set(texts) <= set(payloads)
    assert texts == [text.text for text in sample(iter(payloads), most, None)]


def test_each_payload_is_drawn_as_often_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [0] * 12
    seeds = iter(range(3_000))
    made = random.Random
    monkeypatch.setattr(random, "Random", lambda _: made(next(seeds)))
    for _ in range(3_000):
        for text in sample(map(str, range(12)), 4, None):
            drawn[int(text.text)] += 1

    assert all(900 < times < 1_100 for times in drawn)  # of 1,000 each, whose deviation is 26


def test_what_is_not_json_is_drawn_in_vain() -> None:
    assert [text.text for text in sample(["[1]", "{", "[" * 99_999, "2"], 9, None)] == ["[1]", "2"]


def test_a_sample_that_counts_the_same_says_so() -> None:
    counted = counts(*[(10, 10)] * 30)

    assert counted.sample_lines(1_200) == [
        "30 of 1,200 payloads as given, drawn at random, here by claude_3, by Anthropic for m, "
        "7 tokens of each call taken off: 'x' alone counts 8",
        "300 tokens by the service, 300 here: the service counts the same; the same for 30",
    ]


def test_a_sample_that_differs_says_by_how_much_and_within_what() -> None:
    pairs = [(100, 100), (200, 204), (50, 50), (80, 81), (120, 120)]
    counted = counts(*pairs * 4)

    assert counted.sample_lines(60)[1:] == [
        "2,220 tokens by the service, 2,200 here: 20 tokens more (+0.9\u202f%); the same for 12; "
        "over all payloads +0.5\u202f% to +1.3\u202f% (95 % interval)"
    ]
    assert counted.sample_json(60) == {
        "maker": "Anthropic", "model": "m", "frame": 7, "tokenizer": "claude_3", "texts": 20,
        "payloads": 60, "same": 12, "tokens": 2_200, "service_tokens": 2_220,
        "interval": counted.interval(60),
    }  # fmt: skip
    assert counts(*pairs).interval(60) is None  # too few
    low, high = counted.interval(20) or (0, 0)
    assert low == high == pytest.approx(20 / 2_200)  # none is left open


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    chance = random.Random(1)
    pairs: list[Any] = []
    for _ in range(400):
        here = chance.randrange(20, 400)
        pairs.append((here, here + round(here * chance.gauss(0.02, 0.03))))
    truth = sum(service for _, service in pairs) / sum(here for here, _ in pairs) - 1
    held = 0
    for _ in range(600):
        low, high = counts(*chance.sample(pairs, 30)).interval(400) or (1, 0)
        held += low <= truth <= high

    assert 0.92 < held / 600 < 0.98
