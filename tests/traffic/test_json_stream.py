"""What a damaged item costs its reader, and the items behind it."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import values
from tests.traffic.reading import read_all, short
from tests.work import peak_memory
from toon.traffic import json_stream, slices
from toon.traffic.payload import BadRecord, Payload

UNREAD = ": the rest is not read"


def test_bad_items_do_not_stop_the_rest_of_an_array() -> None:
    text = b'[{"a":1},\n{"b":,"c":[1,{"]":2}]},\n{"a":"\xff"}, x, ,7,[1] [2],{"a":2}]'

    assert short(text) == [
        (1, "log", '{"a":1}'),
        (2, "line 2: expected a value, found ',' (skipped: 22 bytes from line 2 on)"),
        (3, "not UTF-8"),
        (4, "line 3: expected a value, found 'x' (skipped: 1 byte from line 3 on)"),
        (5, "line 3: expected a value, found ',' (skipped: 0 bytes from line 3 on)"),
        (6, "neither an object nor an array, but a number"),
        (7, "log", "[1]"),
        (8, "no comma before the item (skipped: 3 bytes from line 3 on)"),
        (9, "log", '{"a":2}'),
    ]


@pytest.mark.parametrize("damaged", ['{"b":],"c":1}', "[}, [1]]", '{"b":[1,"c":{}}'])
def test_a_bracket_that_closes_nothing_costs_its_own_item(damaged: str) -> None:
    assert [row[0::2] for row in short(f'[{damaged},{{"a":2}}]')] == [(1,), (2, '{"a":2}')]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ('[{"a":1}', (2, "the text is cut off: the array is not closed")),
        ('[{"a":1},', (2, "the text is cut off: the array is not closed")),
        ('[{"a":1},{"b":"',
         (2, f"line 1: string is not closed (skipped: 6 bytes from line 1 on){UNREAD}")),
        ('[{"a":1}] [2]', (2, "text after the end of the array")),
        ('{"a":1} x', (2, "line 1: expected a value, found 'x'")),
        ('[{"a":1},}}}',
         (2, f"line 1: expected a value, found '}}' (skipped: 3 bytes from line 1 on){UNREAD}")),
    ],
)  # fmt: skip
def test_a_text_that_is_cut_off_keeps_its_good_part(text: str, last: tuple[Any, ...]) -> None:
    assert short(text) == [(1, "log", '{"a":1}'), last]


@pytest.mark.rest
def test_damaged_items_are_looked_at_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a long item, too: the parts are as long as the items before it, at most for a while."""
    looked_at = list[int]()

    def find_end(text: str, at: int) -> int:
        looked_at.append(len(text) - at)
        return slices.find_end(text, at)

    monkeypatch.setattr(json_stream, "find_end", find_end)
    items = short('[["' + "a" * 100_000 + '"],' + "x,\n" * 20_000 + "[1]]")

    assert items[1] == (2, "line 1: expected a value, found 'x' (skipped: 1 byte from line 1 on)")
    reason = "line 20000: expected a value, found 'x' (skipped: 1 byte from line 20000 on)"
    assert items[-2] == (20_001, reason)
    assert items[-1] == (20_002, "log", "[1]")
    assert sum(looked_at) < 3 * 20_000 * 1_000  # each to its end would be 20,000 * 30,000


@pytest.mark.rest
@given(st.lists(values.map(lambda value: {"x": value}), min_size=2), st.data())
def test_any_one_missing_bracket_costs_its_own_item(rows: list[Any], data: st.DataObject) -> None:
    texts = [json.dumps(row) for row in rows]
    lost = data.draw(st.integers(0, len(texts) - 1))
    marks = re.finditer(r'"(?:[^"\\]|\\.)*"|[]}]', texts[lost])
    at = data.draw(st.sampled_from([mark.start() for mark in marks if mark[0] in "]}"]))
    written = [*texts[:lost], texts[lost][:at] + texts[lost][at + 1 :], *texts[lost + 1 :]]
    items = read_all(f"[{', '.join(written)}]")

    assert [item.text for item in items if isinstance(item, Payload)] == [
        *texts[:lost], *texts[lost + 1 :],
    ]  # fmt: skip
    assert [item.record for item in items if isinstance(item, BadRecord)] == [lost + 1]


def test_brackets_that_are_never_closed_do_not_fill_the_memory() -> None:
    peaks = []
    for kilobytes in (500, 4_000):
        flaw, peak = peak_memory(_read_brackets, kilobytes)
        peaks.append(peak)

        note = f"(skipped: {kilobytes * 1_000:,} bytes from line 1 on): the rest is not read"
        assert flaw == json_stream.Flaw(2, *[f"nested too deeply {note}"] * 2)
    assert peaks[1] < peaks[0] + 1_000_000


def _read_brackets(kilobytes: int) -> json_stream.RawRecord | json_stream.Flaw:
    vars(json_stream)["_DEEPEST"] = 1_000  # in the process of its own that this runs in
    stream = json_stream.JsonStream(iter([b"[1,", *[b"[" * 1_000] * kilobytes]))
    stream.enter(())
    _, flaw = stream.items()
    return flaw
