"""What a format says of other readers, against those readers."""

import csv
import io
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
import toon_format
import xmltodict
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.strategies import keys, values
from toon.formats import FORMATS
from toon.formats.tron import TRON
from toon.values.equality import differences
from toon.values.json_text import parse_json

Reader = Callable[[str], Any]


JSON = ("json-pretty", "json-python", "json-compact")
TOON = ("toon", "toon-tab", "toon-pipe", "toon-3")
READERS: dict[str, tuple[Reader, ...]] = {
    **dict.fromkeys(JSON, (json.loads,)),
    "yaml": tuple(partial(yaml.load, Loader=by) for by in (yaml.SafeLoader, yaml.CSafeLoader)),
    **dict.fromkeys(TOON, (toon_format.decode,)),
}

NUMBERS = [
    *map(Decimal, (
        "1e400", "-1e400", "1e-400", "1e25", "1e20", "-0", "0e-10", "0.1", "0.12345678901234567890",
        "12345678901234567890123", "1." + "3" * 5000, "9" * 4300, "-" + "9" * 4301,
    )),
    Decimal.from_float(0.1), 2**53, 2**53 + 1, -(2**53) - 1, 2**60, 10**22, 10**25, 10**400,
    10**4299, 1e16, 1.2345678901234567e17, 1.5e300, -0.0, 5e-324,
]  # fmt: skip
#: What YAML 1.1, TOON 3.3 or a reader of lines may take for something else.
STRINGS = [
    "y", "on", "No", "<<", "=", "~", "null", ".inf", "-.INF", ".nan", "1_000", "0b1", "0x1F",
    "2026-01-02", "2026-01-02T03:04:05Z", "12:30:45", "1e5", "0o7", "017", "1e400", "!", "&a", "#",
    "# c", "*a", "%", "@", "`", "? a", "- a", "a: b", "a #b", "'", '"', "\\", "---", "...", "\t",
    "\ta", "a\t", "\n", "a\n", "\r\n", "\x00", "\x1b", "\x7f", "\x85", "\x9f", "\u2028", "\u2029",
    "\ufeff", "\ufeffa", "\ufffe", "\uffff", "\U0010ffff", "😀\u2028", "a" * 1025 + ":",
]  # fmt: skip
odd_scalars = st.one_of(
    st.sampled_from([*NUMBERS, *STRINGS]),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.integers(-(2**70), 2**70),
    st.text(alphabet="#-:'\"\\ ,|\t\n\r\x85\u2028\ufeff<>=y?!&*%@`~0x._e+[]{}", max_size=6),
)
odd_values = st.recursive(
    st.one_of(odd_scalars, values),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(keys, st.sampled_from(STRINGS)), inner, max_size=4),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("name", READERS)
@given(odd_values)
def test_a_format_names_a_change_exactly_where_its_stock_reader_makes_one(
    name: str, value: Any
) -> None:
    format = FORMATS[name]
    text = format.dumps(value)

    changes = format.stock_changes(value, text)

    reads_it = changes is None or changes.startswith(f"{format.stock_reader} reads it;")
    assert all(same(value, text, reader) == reads_it for reader in READERS[name])


AS_TYPED = [
    "1e6", "1E400", "-0", "-0.0", "1.0", "0.1e1", "1e25", "1e22", "1E-400", "9007199254740993",
    "9007199254740993.0", "1.00000000000000000000000001e26", "1e-5",
]  # fmt: skip


@given(st.lists(st.sampled_from(AS_TYPED)), st.sampled_from(["", "\n ", "\ufeff"]))
def test_json_as_typed_names_a_change_exactly_where_python_makes_one(
    numbers: list[str], before: str
) -> None:
    text = f"{before}[{' , '.join(numbers)}]"
    value = parse_json(text).value

    changes = FORMATS["json-pretty"].stock_changes(value, text)

    reads_it = changes is None or changes.startswith("Python's json reads it;")
    assert same(value, text, json.loads) == reads_it


def same(value: Any, text: str, reader: Reader) -> bool:
    """Whether the reader gives the value back."""
    try:
        return same_value(value, reader(text))
    except (ValueError, yaml.YAMLError):
        return False


@pytest.mark.parametrize(
    ("value", "says", "toon_says"),
    [
        (["on", "1e5", 0.1, -0.0, 2**53, 2**60], None, None),
        ([2**53 + 1, 10**20 + 1, 7], *["reads it; JavaScript changes 2 integers beyond 2^53"] * 2),
        ({"a": Decimal("1e400"), "b": Decimal("0.12345678901234567890")},
         "turns 1 number into infinity and rounds 1 number",
         "refuses it: 1 number beyond 64-bit floats"),
        ([Decimal("1e-400"), Decimal("12345678901234567890123"), 2**53 + 1],
         "rounds 1 number; JavaScript changes 2 integers beyond 2^53",
         "rounds 2 numbers; JavaScript changes 1 integer beyond 2^53"),
        ([10**4300, Decimal("1e400")],
         *["refuses it: 1 integer of more than 4,300 digits; "
           "JavaScript changes 1 integer beyond 2^53"] * 2),
    ],
)  # fmt: skip
def test_the_words(value: Any, says: str | None, toon_says: str | None) -> None:
    said = dict.fromkeys((*JSON, "yaml"), says) | dict.fromkeys(TOON, toon_says)
    for name, words in said.items():
        changes = FORMATS[name].stock_changes(value, FORMATS[name].dumps(value))
        assert changes == (words and f"{FORMATS[name].stock_reader} {words}")


def test_a_line_of_toon_3_that_toon_4_takes_for_a_comment() -> None:
    value = [{"tag": "#a", "n": 1}, {"tag": "#b", "n": 2}, {"tag": "c", "n": 3}]
    format = FORMATS["toon-3"]

    changes = format.stock_changes(value, format.dumps(value))

    assert changes == "toon-format takes 2 lines for comments"
    assert FORMATS["toon"].stock_changes(value, FORMATS["toon"].dumps(value)) is None


def test_a_format_without_types_names_no_change_of_numbers() -> None:
    value = {"rows": [{"n": Decimal("1e400")}, {"n": 10**4300}]}

    for name, read in (("csv", stock_csv), ("xml", xmltodict.parse)):
        text = FORMATS[name].dumps(value)
        assert FORMATS[name].stock_changes(value, text) is None
        assert "1" + "0" * 4300 in str(read(text))


@pytest.mark.parametrize(
    "rows", [[{"n": "a" * 131_072}, {"n": "b" * 131_072}], [{"n": '"' * 131_072}]]
)
def test_stock_csv_reads_long_cells(rows: list[dict[str, str]]) -> None:
    text = FORMATS["csv"].dumps(rows)

    assert FORMATS["csv"].stock_changes(rows, text) is None
    assert stock_csv(text) == rows


@pytest.mark.parametrize("row", [{"n": "a" * 131_073}, {"a" * 131_073: 1}])
def test_stock_csv_refuses_longer_cells(row: dict[str, Any]) -> None:
    text = FORMATS["csv"].dumps([row])

    changes = FORMATS["csv"].stock_changes([row], text)

    assert changes == "Python's csv refuses it: a cell of more than 131,072 characters"
    with pytest.raises(csv.Error, match="field larger than field limit"):
        stock_csv(text)


def stock_csv(text: str) -> list[dict[str, str]]:
    """Python's reader as a program that sets nothing has it; ours raises its limit."""
    limit = csv.field_size_limit(131_072)
    try:
        return list(csv.DictReader(io.StringIO(text, newline="")))
    finally:
        csv.field_size_limit(limit)


def test_formats_that_only_ours_reads_name_no_stock_reader() -> None:
    named = {name: format.stock_reader for name, format in FORMATS.items() if format.stock_reader}

    assert named == {
        **dict.fromkeys((*JSON, "json-columns"), "Python's json"),
        **dict.fromkeys(TOON, "toon-format"),
        **{"yaml": "PyYAML", "xml": "xmltodict", "csv": "Python's csv"},
        "tron": "@tron-format/tron",
    }
    assert {name for name, format in FORMATS.items() if format.public} == named.keys()


# -- JavaScript --------------------------------------------------------------------------------

#: Integers around every power of two and ten where 64-bit floats thin out.
INTEGERS = sorted(
    {sign * 2**power + step for power in range(50, 80) for step in range(-3, 4) for sign in (-1, 1)}
    | {10**power + step for power in (15, 16, 20, 21, 22, 25, 300, 309, 400) for step in (0, 1)}
)
#: How Node.js gets each reader; packages are found where NODE_PATH says.
IN_JAVASCRIPT = {
    "json-compact": "JSON.parse",
    "toon": "require('@toon-format/toon').decode",
    "yaml": "require('yaml').parse",
    "tron": "require('@tron-format/tron').parse",
}
#: What the reference of TRON writes for a payload in JSON.
WRITTEN_IN_JAVASCRIPT = (
    "(({stringify}) => (text) => stringify(JSON.parse(text)))(require('@tron-format/tron'))"
)


@pytest.mark.parametrize("name", IN_JAVASCRIPT)
def test_javascript_changes_exactly_the_integers_that_are_named(name: str) -> None:
    format = FORMATS[name]
    texts = [format.dumps([number]) for number in INTEGERS]

    changes = [
        format.stock_changes([number], text) for number, text in zip(INTEGERS, texts, strict=True)
    ]

    read = read_in_javascript(IN_JAVASCRIPT[name], texts)
    kept = [same_value([number], value) for number, value in zip(INTEGERS, read, strict=True)]
    assert [phrase is None for phrase in changes] == kept
    reads = "" if name == "tron" else " reads it; JavaScript"
    assert set(changes) == {None, f"{format.stock_reader}{reads} changes 1 integer beyond 2^53"}


def test_tron_is_written_as_the_reference_writes_it_and_read_by_it() -> None:
    odd_keys = ("a b", "é", "_1", "A", "a.b", 'a"\\\n', "\x7f", "A(", "a:b", "#", "a=b", ";")
    payloads = [
        *(json.loads(path.read_text()) for path in sorted((ROOT / "samples").glob("*.json"))),
        *([{key: 1, "z": [2]}] * 2 for key in odd_keys),
        [{"a": {"x": 1, "y": 2}, "b": {"y": 3, "x": 4}}] * 2,
        [{f"k{number}": 1, "z": 2} for number in range(60)] * 2,
    ]
    payloads = [value for value in payloads if not TRON.stock_changes(value, TRON.dumps(value))]
    texts = [TRON.dumps(value) for value in payloads]

    written = read_in_javascript(WRITTEN_IN_JAVASCRIPT, list(map(json.dumps, payloads)))
    read = read_in_javascript(IN_JAVASCRIPT["tron"], texts)

    assert len(payloads) > 20
    assert list(written) == texts
    assert all(map(same_value, payloads, read))


def test_the_reference_reads_what_it_does_not_write_so_itself() -> None:
    payloads: list[Any] = [
        [{key: 1, "b": 2}] * 2 for key in ("class", "null", "true", "false", "x,y", "1")
    ]
    payloads.append([{"a,b": 1, "c": 2}, {"a": 1, "b,c": 2}] * 2)

    read = read_in_javascript(IN_JAVASCRIPT["tron"], list(map(TRON.dumps, payloads)))

    assert all(map(same_value, payloads, read))


def same_value(value: Any, returned: Any) -> bool:
    return differences(value, returned).same


def read_in_javascript(reader: str, texts: list[str]) -> Iterator[Any]:
    """What a reader in JavaScript makes of each text; its numbers are all floats."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js here")
    if subprocess.run([node, "-e", reader], capture_output=True, check=False).returncode:
        pytest.skip(f"Node.js does not find {reader}")
    script = (
        f"const read = {reader};"
        "const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(texts.map((text) => JSON.stringify(read(text)))))"
    )
    done = subprocess.run(
        [node, "-e", script], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return (json.loads(text, parse_int=float) for text in json.loads(done.stdout))
