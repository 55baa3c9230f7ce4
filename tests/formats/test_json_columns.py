"""What JSON by columns writes, reads and refuses."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import keys, values
from toon.errors import FormatError
from toon.formats.base import NotApplicable
from toon.formats.json_columns import JSON_COLUMNS
from toon.values.equality import differences
from toon.values.walks import objects

#: Values of all kinds, with the two keys anywhere.
tables = st.recursive(
    values,
    lambda inner: st.dictionaries(
        st.one_of(st.sampled_from(["columns", "rows"]), keys), inner, max_size=3
    ),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"a": 1, "b": 2}, {"a": 3, "b": 4}], '{"columns":["a","b"],"rows":[[1,2],[3,4]]}'),
        ([{"a": 1}], '[{"a":1}]'),
        ([{"a": 1, "b": 2}, {"b": 3, "a": 4}], '[{"a":1,"b":2},{"b":3,"a":4}]'),
        ([{"a": 1}, {"a": 2}, {"b": 3}], '[{"a":1},{"a":2},{"b":3}]'),
        ([{}, {}], "[{},{}]"),
        ([{"a": 1}, [2]], '[{"a":1},[2]]'),
        ({"x": [{"t": [{"a": 1}, {"a": 2}]}, {"t": [{"a": 3}]}]},
         '{"x":{"columns":["t"],"rows":[[{"columns":["a"],"rows":[[1],[2]]}],[[{"a":3}]]]}}'),
        ({"columns": [], "rows": [], "more": 1}, '{"columns":[],"rows":[],"more":1}'),
        ([{'a"': 1.0}, {'a"': 1e21}], '{"columns":["a\\""],"rows":[[1],[1e+21]]}'),
    ],
)  # fmt: skip
def test_what_it_writes_comes_back(value: Any, text: str) -> None:
    assert JSON_COLUMNS.dumps(value) == text
    assert differences(value, JSON_COLUMNS.loads(text)).same


@given(tables)
@example({"rows": 1, "columns": 2})
@example({"a": [{"columns": ["x"], "rows": [[1]]}]})
@example([{"columns": 1, "rows": 2}, {"columns": 3, "rows": 4}])
@example([{"a": {"columns": 1, "rows": 2}}, {"a": 1}])
def test_what_is_not_refused_by_name_comes_back(value: Any) -> None:
    if any(item.keys() == {"columns", "rows"} for item in objects(value)):
        with pytest.raises(NotApplicable, match="an object of 'columns' and 'rows' already"):
            JSON_COLUMNS.dumps(value)
    else:
        changes = differences(value, JSON_COLUMNS.loads(JSON_COLUMNS.dumps(value)))
        assert str(changes) == "nothing"


def test_tables_of_no_row_and_of_one_are_read_too() -> None:
    text = '[{"rows": [[1]], "columns": ["a"]}, {"columns": [], "rows": []}]'

    assert JSON_COLUMNS.loads(text) == [[{"a": 1}], []]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{"columns":["a"],"rows":[[1],[1,2]]}', (1, 1), "row 2 has 2 values, the columns are 1"),
        ('[{},\n {"columns":["a"],"rows":[1]}]', (2, 2), "row 1 is not an array"),
        ('{"a{":{"columns":["a"],"rows":{}}}', (1, 7), "'rows' is not an array of arrays"),
        ('{"columns":[1],"rows":[]}', (1, 1), "'columns' is not an array of names"),
        ('{"columns":["a","a"],"rows":[]}', (1, 1), "'columns' has a name twice"),
        ('{"columns":["a"],"rows":[[1]}', (1, 29), "expected , or a closing bracket, found '}'"),
    ],
)
def test_where_a_table_is_wrong(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(ValueError, match="line") as caught:
        JSON_COLUMNS.loads(text)

    error = caught.value
    assert isinstance(error, FormatError) or message.startswith("expected")
    assert (error.line, error.column, error.message) == (*place, message)  # type: ignore[attr-defined]


def test_only_a_text_with_a_table_needs_an_explanation() -> None:
    table = JSON_COLUMNS.dumps([{"a": 1}, {"a": 2}])

    assert JSON_COLUMNS.uses(table) == {"tables"}
    assert JSON_COLUMNS.uses('{"columns":1}') == frozenset()
    assert JSON_COLUMNS.explain(frozenset()) == "The data is JSON."
    assert JSON_COLUMNS.explanation.startswith("The data is JSON. An object of `columns`")
