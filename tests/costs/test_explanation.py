"""What explaining a format costs: made of what a text really uses, shared by payloads."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from tests.words import COMPACT
from toon.costs.explanation import ALONE, Explaining
from toon.formats import BASELINES, FORMATS
from toon.formats.toon import TOON, TOON_3, TOON_PIPE, TOON_TAB, ToonFormat
from toon.tokenizers import get

BASE = "The data is TOON: JSON's values with less syntax."
FIELDS = "Indentation nests; `key: value` is a field."


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_an_explanation(name: str) -> None:
    format = FORMATS[name]
    tokens = get("chars4").count(format.explanation)

    assert format.explanation.startswith("The data is ")
    assert (tokens > 15) == (name not in {*BASELINES, "yaml", "xml", "csv"})


@pytest.mark.parametrize(
    ("value", "uses"),
    [
        (5, set()),
        ({"rows": [{"a": 1}, {"a": 2}]}, {"tables"}),
        ({"k": {"x": {"a": 1}, "y": {"a": 2}}, "n": 1}, {"fields", "keyed"}),
        ({"a": 1}, {"fields"}), ({"a": "1"}, {"fields", "quotes"}), ([1, 2], {"arrays"}),
        ({"a": [1, "x[2]: y"]}, {"arrays", "quotes"}), ([{"a": 1}, {"a": 2}], {"tables"}),
        ([{"a": {"b": 1}}, {"a": {"b": 2}}], {"tables", "groups"}),
        ([{"a{b": 1}, {"a{b": 2}], {"tables", "quotes"}),
        ({"x": {"a": 1}, "y": {"a": 2}}, {"keyed"}),
        ({"k": {"x": {"a": 1}, "y": {"a": 2}}}, {"keyed"}),
        ([1, [2]], {"lists", "arrays"}),
        ([{"a": 1}, 5], {"lists", "fields"}),
        ([{"a": 1}, {"b": [{"c": "x: y"}]}], {"lists", "fields", "tables", "quotes"}),
        ({"a": "- x"}, {"fields", "quotes"}),
    ],
)  # fmt: skip
def test_the_constructs_of_a_text(value: Any, uses: set[str]) -> None:
    assert TOON.uses(TOON.dumps(value)) == uses
    assert TOON_TAB.uses(TOON_TAB.dumps(value)) == uses


def constructs(text: str) -> Iterator[str]:
    """The constructs of a text, read line by line and by the lengths of its tables."""
    lines = iter(text.split("\n"))
    for line in lines:
        plain = re.sub(r'"(?:[^"\\]|\\.)*"', "q", line).strip(" ")
        if '"' in line:
            yield "quotes"
        while plain.startswith("- ") or plain == "-":
            yield "lists"
            plain = plain[2:]
        if header := re.match(r"\w*(?:\.\w+)*\[(\d+)(:?).?\](?:\{(.*)\})?:(.?)", plain):
            length, keyed, columns, inline = header.groups()
            if columns is not None:
                yield "keyed" if keyed else "tables"
                yield from ["groups"] * ("{" in columns)
                yield from ["quotes"] * ('"' in "".join(islice(lines, int(length))))
            elif inline or length == "0":
                yield "arrays"
        elif re.match("[^:]+:( |$)", plain):
            yield "fields"


@given(values, st.sampled_from([TOON, TOON_TAB, TOON_PIPE, TOON_3]))
def test_a_note_explains_what_the_text_has_and_nothing_else(value: Any, format: ToonFormat) -> None:
    text = format.dumps(value)

    assert format.uses(text) == set(constructs(text))


@pytest.mark.parametrize(
    ("format", "table"),
    [
        (TOON, "`rows[2]{id,qty}:` is a table: each line below holds one object's values in that "
         "order, separated by commas."),
        (TOON_TAB, "`rows[2\t]{id\tqty}:` is a table: each line below holds one object's values "
         "in that order, separated by tabs."),
        (TOON_PIPE, "`rows[2|]{id|qty}:` is a table: each line below holds one object's values in "
         "that order, separated by pipes."),
    ],
)  # fmt: skip
def test_the_text_shows_the_delimiter_that_is_sent(format: ToonFormat, table: str) -> None:
    assert ALONE.text(format.name, frozenset({"tables"})) == f"{BASE} {table}"
    assert ALONE.text(format.name, frozenset({"fields"})) == f"{BASE} {FIELDS}"


@pytest.mark.parametrize("format", [TOON, TOON_TAB, TOON_PIPE])
def test_the_examples_in_an_explanation_are_of_the_format(format: ToonFormat) -> None:
    symbol = "" if format.delimiter == "," else format.delimiter
    inline = f"name[3{symbol}]: {format.delimiter.join('abc')}"

    assert inline in format.explanation
    assert format.loads(inline) == {"name": ["a", "b", "c"]}


def test_a_text_typed_with_tabs_is_explained_with_tabs() -> None:
    text = TOON_TAB.dumps([{"a": 1}, {"a": 2}])
    uses = TOON.uses(text)

    assert uses == {"tables", "tabs"}
    assert TOON.explain(uses) == TOON_TAB.explain(TOON_TAB.uses(text))


def test_a_comment_is_no_table_however_long_its_number_is() -> None:
    assert TOON.uses(f"# a[{'9' * 5_000}]:\nb: 1") == {"fields"}


def test_the_users_own_wording_replaces_ours_and_is_counted() -> None:
    own = Explaining.parse("2", ["toon=The data is TOON, as you know.", "yaml=YAML."])

    assert own.text("toon", frozenset({"tables"})) == "The data is TOON, as you know."
    assert own.tokens("toon", frozenset(), "chars4") == 8 - 5
    assert own.tokens("yaml", frozenset(), "chars4") == 0  # shorter, but it pays nothing back
    assert own.together == 2


@pytest.mark.parametrize(
    ("together", "wordings", "message"),
    [
        ("0", [], "payloads in a prompt must be 1 or more$"),
        ("-1", [], "payloads in a prompt must be 1 or more, or none"),
        ("many", [], "payloads in a prompt must be 1 or more, or none"),
        ("1", ["toon"], "a note is written FORMAT=TEXT, not 'toon'"),
        ("1", ["tune=x"], "No format is named 'tune'. There are: json-pretty"),
        ("1", ["toon= "], "the note for TOON is empty"),
        ("1", ["json-compact=x"], f"{COMPACT} is JSON, which needs no note"),
        ("1" + "0" * 5000, [], "payloads in a prompt must be 1 or more, or none"),
        ("1" + "0" * 19, [], "payloads in a prompt must be 1 or more, or none"),
        ("9" * 19, [], "payloads in a prompt must be at most 1,000,000,000"),
        ("1000000001", [], "payloads in a prompt must be at most 1,000,000,000"),
    ],
)
def test_a_wrong_setting_is_refused(together: str, wordings: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Explaining.parse(together, wordings)


@pytest.mark.parametrize(
    ("explaining", "price", "whole", "assumption", "paid"),
    [
        (
            Explaining(1), 1, True, "note to the model included, payloads in a prompt: 1",
            "Every call pays for its note to the model, in full: read from a cache, as in "
            "a long system prompt, it costs less.",
        ),
        (
            Explaining(3, cached=0.9, rate=0.1), 0.19, False,
            "note to the model included, payloads in a prompt: 3, "
            "90\u202f% read from the cache at 10\u202f% of the price",
            "A call pays its share of a note to the model, one for 3 payloads, "
            "90\u202f% read from the cache at 10\u202f% of the price.",
        ),
        (
            Explaining(1, cached=1.0), 1, True,
            "note to the model included, payloads in a prompt: 1, "
            "100\u202f% read from the cache at a price that is not known: counted in full",
            "Every call pays for its note to the model, "
            "100\u202f% read from the cache at a price that is not known: counted in full.",
        ),
        (
            Explaining(None, cached=1.0, rate=0.1), 0.1, False, "the model needs no note",
            "No note is counted: the model needs none.",
        ),
    ],
)  # fmt: skip
def test_the_setting_is_said_with_the_price_of_an_explanation(
    explaining: Explaining, price: float, whole: bool, assumption: str, paid: str
) -> None:
    assert explaining.price == pytest.approx(price)
    assert explaining.is_whole == whole
    assert (explaining.assumption, explaining.payment) == (assumption, paid)
    together = explaining.together
    assert explaining.share(60) == (pytest.approx(60 * price / together) if together else 0)


@pytest.mark.parametrize(
    "cached", ["1.1", "-0", "-1", "", "nan", "1e-3", "half", "\u0660", "0.1111111111"]
)
def test_a_share_of_the_cache_is_a_decimal_from_0_to_1(cached: str) -> None:
    with pytest.raises(ValueError, match="the share of prompts that read the note from "):
        Explaining.parse("1", (), cached)


@pytest.mark.parametrize("wrong", [{"cached": 1.5}, {"cached": float("nan")}, {"rate": -0.1}])
def test_no_share_and_no_rate_is_beyond_0_to_1(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be 0 to 1"):
        Explaining(1, (), **wrong)
