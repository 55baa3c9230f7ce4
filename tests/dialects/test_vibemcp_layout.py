"""The kind of each byte of VibeMCP's output: exact examples, and laws for any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.dialects.vibemcp import LOSSLESS, LOSSY, Profile
from toon.formats.vibemcp import VIBEMCP, VIBEMCP_LOSSLESS
from toon.layout.spans import KINDS

# n name, p punctuation, . whitespace, v value
EXAMPLES: list[tuple[Profile, str, str]] = [
    (LOSSY, "", ""),
    (LOSSY, "no x", "vvvv"),
    (LOSSY, "a[2]\nx\t1\n\"y\"", "nppp.vvv.vvv"),
    (LOSSY, "m[1]{a,bc}\nx y\t1", "nppppnpnnp.vvvpv"),
    (LOSSY, 'm[1]{a,b}\n"x\ty"\t"', "nppppnpnp.pvvvppp"),
    (LOSSY, "m[1]{a}\n{}", "nppppnp.vv"),
    (LOSSY, "m{a}\r\nx\r\n", "npnp..v.."),
    (LOSSY, 'm:\n  a: "x"\n  b: [{"c":1}]', "np...np.pvp...np.pppnppvpp"),
    (LOSSY, "m:\n  a b: [x] y", "np...nnnp.vvvvv"),
    (LOSSY, "m:\nx", "np.v"),
    (LOSSY, "\ufeffm[0]{}", ".nppppp"),
    (LOSSY, "é[1]\nü", "nppp.v"),
    (LOSSLESS, '"x y"', "pvvvp"),
    (LOSSLESS, '"a b"[1]{"c d",e}\n"x"\t[1]', "pnnnppppppnnnppnp.pvpppvp"),
    (LOSSLESS, '"a":\n  "k": 1', "pnpp...pnpp.v"),
    (LOSSLESS, 'a[1]\n{"k":"v"}', "nppp.ppnpppvpp"),
    (LOSSLESS, 'a[1]\n{"k":"v', "nppp.vvvvvvv"),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "text", "expected"), EXAMPLES)
def test_what_each_character_is(profile: Profile, text: str, expected: str) -> None:
    format = VIBEMCP if profile == LOSSY else VIBEMCP_LOSSLESS
    letters = dict(zip(KINDS, "np.v", strict=True))

    assert "".join(letters[s.kind] * (s.end - s.start) for s in format.spans(text)) == expected


rows = st.lists(
    st.builds(
        lambda number, text: {"id": number, "b c": text},
        st.integers(),
        st.text('xyz\t"\\', min_size=1),
    )
)


@given(rows)
def test_names_are_the_header_and_values_the_cells(rows: list[dict[str, Any]]) -> None:
    text = VIBEMCP_LOSSLESS.dumps(rows)
    found = dict.fromkeys(KINDS, "")
    for span in VIBEMCP_LOSSLESS.spans(text):
        found[span.kind] += text[span.start : span.end]

    assert found["names"] == "items" + "idb c" * bool(rows)
    assert found["whitespace"] == "\n" * len(rows)
    assert found["punctuation"].count("\t") == len(rows)
