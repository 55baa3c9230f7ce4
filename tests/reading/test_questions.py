"""Questions: each has one answer in the data, and another reader of the sentence finds it."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from itertools import islice
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.conftest import ROOT
from tests.reading import oracle
from toon.reading import collections
from toon.reading.collections import is_number
from toon.reading.grading import Type, is_right
from toon.reading.questions import FEWEST, KINDS, Question, TooSmall, draw_questions, make_questions

SAMPLES = {
    str(path.relative_to(ROOT / "samples")): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "samples").rglob("*.json"))
}
#: Samples with fewer than twenty questions.
SMALL = {"arrays-of-arrays.json": 7, "long-text.json": 5}

#: Values that a careless question would mix up.
_CELLS = st.one_of(
    st.sampled_from(["7", 7, "07", "007", 7.0, True, "true", "True", None, "null", "", "open"]),
    st.sampled_from([0.1, 0.2, 0.3, -0.0, 1e-7, 1e16, 10**18, "2026-01-02", "a, b", 'a"b', "a`b"]),
    strategies.scalars,
)


@st.composite
def tables(draw: st.DrawFn) -> Any:
    """Records, some of them with a field that names each, as a list or a map, somewhere."""
    names = draw(st.lists(strategies.keys, min_size=1, max_size=4, unique=True))
    usual = {name: draw(st.lists(_CELLS, min_size=1, max_size=4)) for name in names}
    rows: list[dict[str, Any]] = []
    for number in range(draw(st.integers(3, 12))):
        row = {name: draw(st.sampled_from(usual[name])) for name in names if draw(_MOSTLY)}
        if draw(_MOSTLY):
            row["id"] = number
        row["in"] = {"tags": row.get("id"), "x": draw(_CELLS), "l": draw(st.lists(_CELLS))}
        rows.append(row)
    table = {f"entry {n}": row for n, row in enumerate(rows)} if draw(st.booleans()) else rows
    return {"a b": {draw(strategies.keys): table}} if draw(st.booleans()) else table


_MOSTLY = st.sampled_from([True] * 9 + [False])


def is_answered(value: Any, question: Question) -> bool:
    """Whether the sentence, read anew, has the question's answer, of the question's type."""
    truth, answer = oracle.answer(value, question.text), question.answer
    match question.type:
        case "integer" | "number":
            is_same = not isinstance(truth, str | bool) and Decimal(answer) == Decimal(str(truth))
        case "boolean":
            is_same = answer == json.dumps(truth)
        case "set":
            is_same = Counter(answer.split(",")) == Counter(map(str, truth))
        case "list":
            is_same = answer.split(",") == [str(item) for item in truth]
        case _:
            is_same = answer == truth
    return is_same and is_right(answer, answer, question.type)


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - SMALL.keys()))
def test_another_reader_finds_the_answers(name: str) -> None:
    questions = make_questions(SAMPLES[name], 200, 7)

    assert [one for one in questions if not is_answered(SAMPLES[name], one)] == []
    assert len({one.text for one in questions}) == len(questions) >= FEWEST
    assert {one.kind for one in questions} <= KINDS.keys()


@pytest.mark.rest
@given(tables() | st.fixed_dictionaries({"a": strategies.values}), st.integers(0, 3))
def test_another_reader_finds_the_answers_in_any_value(value: Any, seed: int) -> None:
    for question in made(value, 40, seed):
        assert is_answered(value, question), question


def made(value: Any, count: int, seed: int) -> list[Question]:
    """All questions of a value, also where they are fewer than a run needs."""
    return list(islice(draw_questions(value, seed), count))


@pytest.mark.rest
def test_the_reader_meets_every_kind_and_type() -> None:
    mixed = {name: {"kind": name, name: number} for number, name in enumerate("abcdef")}
    values = [*SAMPLES.values(), mixed]
    questions = [one for value in values for one in made(value, 200, 1)]

    assert {one.kind for one in questions} == KINDS.keys()
    assert {one.type for one in questions} == set(get_args(Type))
    assert {oracle.sentence(one.text) for one in questions} == set(oracle.SENTENCES)


ROWS = [
    {"id": f"n{number}", "team": "ab"[number % 2], "size": number * 1.5, "on": number % 3 == 0}
    for number in range(30)
]


def test_a_seed_gives_the_same_questions_in_every_process() -> None:
    code = (
        "import json, sys\n"
        "from toon.reading.questions import make_questions\n"
        "print(json.dumps(make_questions(json.load(sys.stdin), 60, 5)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(ROWS),
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert [Question(*one) for one in json.loads(run.stdout)] == make_questions(ROWS, 60, 5)
    assert make_questions(ROWS, 60, 6) != make_questions(ROWS, 60, 5)


def test_more_questions_begin_with_the_fewer() -> None:
    for count in (1, 20, 59):
        assert make_questions(ROWS, 60, 5)[:count] == make_questions(ROWS, count, 5)


@pytest.mark.parametrize("seed", range(5))
def test_kinds_and_thirds_of_the_records_are_balanced(seed: int) -> None:
    rows = [{"id": n, **{f"f{at}": (n * at) % 7 + at / 4 for at in range(9)}} for n in range(90)]
    questions = make_questions({"list": rows, "config": {f"k{n}": n for n in range(30)}}, 60, seed)
    named = [re.search(r"whose `id` is (\d+)", one.text) for one in questions]

    assert set(Counter(one.kind for one in questions).values()) == {12}
    assert Counter(int(one[1]) // 30 for one in named if one) == {0: 4, 1: 4, 2: 4}


def test_the_questions_of_a_small_table() -> None:
    value = {"orders": [{"id": "A1", "n": 2}, {"id": "A2", "n": 5}, {"id": "A3", "n": 0.5}]}

    assert {(one.kind, one.text, one.answer, one.type) for one in made(value, 99, 1)} >= {
        ("field", 'What is `n` of the record in `orders` whose `id` is "A2"?', "5", "integer"),
        ("sum", "What is the sum of `n` over all records in `orders`?", "7.5", "number"),
        ("sum", "What is the smallest of `n` over all records in `orders`?", "0.5", "number"),
        ("filter", "How many records in `orders` have `n` greater than 2?", "1", "integer"),
        ("structure", "How many records does `orders` have?", "3", "integer"),
        ("structure", "What is `n` of the last record in `orders`?", "0.5", "number"),
    }


_GROUP = "`x` equal"


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ([7, "7", 8, 8], _GROUP),
        (["open", "Open", "shut", "shut"], _GROUP),
        ([True, "true", False, False], _GROUP),
        ([None, "null", "a", "a"], _GROUP),
        (["", "", "a", "a"], _GROUP),
        ([0.1, 0.2, 1e-9, 4], "of `x` over"),  # 1e-9 is written in several ways
        ([1, 2, None, 4], "of `x` over"), ([1, 2, "3", 4], "of `x` over"),
        ([1, 2, 10**15, 4], "of `x` over"), ([1, 2, True, 4], "of `x` over"),
        (["a", "a", "b", "c"], "whose `x`"), ([1.5, 2.5, 3.5, 4.5], "whose `x`"),
        ([-0.0, 1, 2, 4], "of `x` over"), (["a`b", "c", "d", "e"], "whose `x`"),
        (["a", "A", "b", "c"], "whose `x`"), (["a", "b\u200b", "c", "d"], "whose `x`"),
        (["a", "b ", "c", "d"], "whose `x`"), (["a", "b" * 81, "c", "d"], "whose `x`"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_not_asked(column: list[Any], text: str) -> None:
    value = [{"id": f"r{number}", "x": cell} for number, cell in enumerate(column)]
    asked = [one.text for one in made(value, 300, 1)]

    assert len(asked) > 3
    assert [one for one in asked if re.search(text, one)] == []


def test_true_is_not_one() -> None:
    value = [{"id": f"r{number}", "x": cell} for number, cell in enumerate([True, 1, 1, 2, 2, 2])]
    answers = {one.text: one.answer for one in made(value, 300, 1)}

    assert answers["How many records in the data have `x` equal to true?"] == "1"
    assert answers["How many records in the data have `x` equal to 2?"] == "3"


def test_figures_are_exact_and_strings_of_figures_stay_strings() -> None:
    rows = [{"id": f"0{n}", "x": 0.1, "y": n / 10} for n in range(10)]
    questions = {one.text: one for one in made(rows, 300, 1)}

    total = questions["What is the sum of `y` over all records in the data?"]
    assert (total.answer, total.type) == ("4.5", "number")
    last = questions["What is `id` of the last record in the data?"]
    assert (last.answer, last.type) == ("09", "string")
    assert not is_right("9", last.answer, last.type)


SHAPES: dict[str, Any] = {
    "a bare list": ROWS,
    "a map of records": {f"k{n}": row for n, row in enumerate(ROWS)},
    "a list two objects deep": {"a": {"b": {"rows": ROWS}, "c": 1}},
    "lists of scalars": {f"l{n}": [n, n + 2, n + 7] for n in range(5)},
    "a config without any list": {
        f"part{n}": {"limits": {"seconds": n, "tries": n + 3}, "name": f"p{n}"} for n in range(9)
    },
    "a flat object": {f"key{n}": n * n for n in range(25)},
}


@pytest.mark.parametrize("name", SHAPES)
def test_many_shapes_give_enough_questions(name: str) -> None:
    questions = make_questions(SHAPES[name], 30, 1)

    assert FEWEST <= len(questions) <= 30
    assert all(is_answered(SHAPES[name], one) for one in questions)


NOTHING: list[Any] = [None, 5, "text", [], {}, [1, 2, 3], [[1, 2], [3, 4]], [{}] * 30]


@pytest.mark.parametrize(
    ("value", "count"),
    [*((value, 0) for value in NOTHING), *((SAMPLES[name], n) for name, n in SMALL.items())],
)
def test_a_payload_too_small_is_refused(value: Any, count: int) -> None:
    with pytest.raises(TooSmall) as error:
        make_questions(value, 60, 1)

    assert str(error.value) == (
        f"This payload gives {count} questions with one clear answer, and 20 are needed. "
        "Lists of records, with a field that names each, give many."
    )


GROWING: dict[str, Callable[[int], Any]] = {
    "records": lambda size: [{"id": n, "f": n, "g": n % 5} for n in range(size)],
    "fields of their own": lambda size: [{"id": n, f"f{n}": n, "g": n % 5} for n in range(size)],
    "maps in a map": lambda size: {f"k{n}": {c: {"x": n} for c in "abc"} for n in range(size)},
    "lists": lambda size: {f"l{n}": [n, n + 2, n + 7] for n in range(size)},
    "a list": lambda size: {"a": list(range(size))},
}


@pytest.mark.parametrize("name", GROWING)
def test_the_work_grows_with_the_payload(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at a value asks whether it is a number, sooner or later."""

    def looks(size: int) -> int:
        seen: list[Any] = []
        monkeypatch.setattr(collections, "is_number", lambda x: seen.append(x) or is_number(x))
        made(GROWING[name](size), 60, 1)
        return len(seen)

    assert looks(100) >= 100
    assert looks(2_000) <= 30 * looks(100)
