"""JSON values for Hypothesis, biased to tricky strings and keys and to tabular shapes."""

from typing import Any

from hypothesis import strategies as st

TRICKY = [
    "", " ", "a b", " x", "x ", "true", "null", "false", "1", "-1", "05", "+1", "1e5", ".5", "1.",
    "a:b", "a,b", "a|b", "a\tb", '"q"', "\\", "[x]", "{y}", "- d", "-", "#c", "#", "line\nbreak",
    "\r", "\x00", "\x1f", "\x7f", "é", "日本語", "😀", "👩‍👩‍👧", "\ufeffx", "[]", "{}", "key", "0",
    "\u2028", "\u00a0", 'a"b', "x{y}", "1:2", "a.b", "NaN", "Infinity", "0x10", "1_000", "-0",
]  # fmt: skip

strings = st.one_of(
    st.sampled_from(TRICKY),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8),
    st.text(alphabet=':,|\t"\\[]{}-# \n\r0a', max_size=5),
)
keys = st.one_of(st.sampled_from(["id", "name", "k1", "k2", *TRICKY]), strings)
integers = st.one_of(
    st.integers(-10, 10),
    st.integers(),
    st.sampled_from([2**53 + 1, 10**20, 10**21, 10**25, -(2**64)]),
)
floats = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([-0.0, 1e-7, 1.5e-5, 1e-6, 1e16, 1e20, 1e21, 1e300, 5e-324, 0.1, 1.0]),
)
scalars = st.one_of(st.none(), st.booleans(), integers, floats, strings)


@st.composite
def uniform_rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows that share their keys, sometimes in another order, sometimes with a nested group."""
    names = draw(st.lists(keys, min_size=1, max_size=4, unique=True))
    groups = {name for name in names if draw(st.integers(0, 5)) == 0}
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        order = draw(st.permutations(names)) if draw(st.integers(0, 4)) == 0 else names
        row: dict[str, Any] = {}
        for name in order:
            group = {"x": draw(scalars), "y": {"z": draw(scalars)}}
            row[name] = group if name in groups else draw(scalars)
        rows.append(row)
    return rows


@st.composite
def keyed_rows(draw: st.DrawFn) -> dict[str, Any]:
    """An object whose values are uniform objects: the keyed tabular form."""
    rows = draw(uniform_rows())
    names = draw(st.lists(keys, min_size=len(rows), max_size=len(rows), unique=True))
    return dict(zip(names, rows, strict=True))


@st.composite
def number_columns(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows mostly of numbers, whose columns the decoder reads as a whole."""
    cells = st.one_of(
        st.integers(-100, 100),
        st.sampled_from([10**17, 10**18, -(10**18), 10**19, 2**63, 2**64, 12345678901234567890123]),
        st.sampled_from([0.5, -0.5, -0.0, 1.0, 1e16, 1e-7, 0.1]),
        st.sampled_from([None, True, False, "", "1", "x", "-0", "1,2"]),
    )
    names = draw(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=4, unique=True))
    usual = {name: draw(cells) for name in names}
    rows = []
    for _ in range(draw(st.integers(1, 10))):
        odd = draw(st.integers(0, 3)) == 0
        rows.append({name: draw(cells) if odd else usual[name] for name in names})
    return rows


#: What the fields of records hold: each is the same in most of them.
_FIELDS = st.sampled_from(
    [
        scalars, st.floats(-2, 2).map(round), st.sampled_from([0.0, -0.0, 1.0, 0.5, 3]),
        st.lists(scalars, min_size=1, max_size=3), st.lists(scalars, max_size=1),
        st.fixed_dictionaries({"x": scalars, "y%s": st.lists(scalars, max_size=2)}),
        st.fixed_dictionaries({name: st.fixed_dictionaries({"y": scalars}) for name in "ab"}),
        st.lists(st.permutations([("a", 1), ("b%", 2.5)]).map(dict), min_size=1, max_size=3),
        uniform_rows(),
        st.dictionaries(keys, scalars, max_size=2),
    ]
)  # fmt: skip


@st.composite
def records(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Objects of one or two shapes, with objects and arrays in them that are mostly alike."""
    names = st.sampled_from(["id", "k%", "%s", "a b", "c"])
    shapes = [draw(st.dictionaries(names, _FIELDS, min_size=2, max_size=4)) for _ in range(2)]
    chosen = draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=4, max_size=9))
    return [draw(st.fixed_dictionaries(shapes[number])) for number in chosen]


values = st.recursive(
    st.one_of(
        scalars, uniform_rows(), keyed_rows(), number_columns(), records(),
        st.lists(scalars, max_size=9),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)  # fmt: skip
delimiters = st.sampled_from([",", "\t", "|"])
indents = st.integers(1, 8)

_PIECES = [*':,[]{}|-# \\\t\n\r0a"', "\ufeff", "  ", "\n\n", "- "]
_LINES = [
    "", "  ", "# c", "  # c", "\t", "x: 1", "- 1", "-", "a,b", "[2]: 1,2", "k[1]{a}:", "\t- a",
    "[2:]{a}:", "key:", '"open', "  a: 1", "k[2|]: 1|2",
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """``text`` with one to three lines or characters inserted, deleted, doubled or re-indented."""
    for _ in range(draw(st.integers(1, 3))):
        lines = text.split("\n")
        at = draw(st.integers(0, len(lines) - 1))
        place = draw(st.integers(0, len(text)))
        match draw(st.integers(0, 6)):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, draw(st.sampled_from(lines)))
            case 2:
                lines[at] = " " * draw(st.integers(0, 5)) + lines[at].lstrip(" ")
            case 3:
                lines.insert(at, draw(st.sampled_from(_LINES)))
            case 4:
                lines = [text[:place] + text[place + 1 :]]
            case 5:
                lines = [text[:place] + draw(st.sampled_from(_PIECES)) + text[place:]]
            case _:
                lines = [text[:place] + draw(st.sampled_from(_PIECES)) + text[place + 1 :]]
        text = "\n".join(lines)
    return text


__all__ = ["damaged", "delimiters", "indents", "keys", "scalars", "strings", "values"]
