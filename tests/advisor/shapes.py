"""Values on which the steps have something to do, some of which look like the steps' own marks."""

from typing import Any

from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.strategies import scalars, values
from toon.advisor.measure import Measurer, Row
from toon.advisor.steps.base import StepOptions
from toon.costs.document import Document
from toon.values.json_text import parse_json

_UUID = "4b0c9d52-7e1f-4a86-9f0e-2f6f4a8c1d10"
_UUIDS = [_UUID, _UUID.upper(), _UUID[:-1] + "1", _UUID.replace("-", ""), "0" * 32, _UUID[:8]]
_TIMES = [
    "2026-03-09T09:15:00Z", "2026-03-09T09:15:00+01:00", "2026-03-09T09:15:00-0530",
    "2026-03-09 09:15:00Z", "2026-03-09T09:15:00.114Z", "2026-03-09T09:15:00.100Z",
    "1969-12-31T23:59:59.5-00:00", "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999999-12:00", "2026-03-09T09:15:00", "2026-03-09T09:15Z",
    "2026-02-30T09:15:00Z", "2026-06-30T23:59:60Z", "2026-03-09",
]  # fmt: skip
_IDS = ["9c41f07ab2de", "9c41f07ab2d3", "9c41f07a", "9c41f07ab", "9c41f07ab2de6635"]
_IDS += ["cus_NffrFeUfNV2Hib", "cus_NffrFeUf", "cus_NffrFeUfNV2Hic", "customer-000017", "a" * 40]
_MARKS = ["@1", "@2", "@12", "legend", "data", "constants", "rows", "a long text that comes again"]

texts = st.sampled_from([*_UUIDS, *_TIMES, *_IDS, *_MARKS])
names = st.sampled_from(
    ["id", "order_id", "userId", "at", "x", "constants", "constants_", "rows", "legend", "data"]
)
cells = st.one_of(texts, texts, scalars, st.sampled_from([0, 1, 1.0, True, 0.125, 1773035882]))


@st.composite
def tables(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> list[Any]:
    """Rows whose columns mostly hold one value, or one sort of text."""
    columns = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    usual = {name: draw(inner) for name in columns}
    pool = draw(st.sampled_from([_UUIDS[:3], _TIMES[:1], _TIMES[4:6], _IDS, _TIMES, _MARKS]))
    varying = draw(st.sets(st.sampled_from(columns)))
    rows: list[Any] = []
    for _ in range(draw(st.integers(1, 7))):
        row = {
            name: draw(st.sampled_from(pool)) if name in varying else item
            for name, item in usual.items()
        }
        rows.append(row if draw(st.integers(0, 9)) else draw(inner))
    return rows


shaped = st.recursive(
    cells,
    lambda inner: st.one_of(
        tables(inner), st.lists(inner, max_size=5), st.dictionaries(names, inner, max_size=4)
    ),
    max_leaves=12,
)
payloads = st.one_of(values, shaped, tables(shaped))


def sample(name: str) -> Any:
    return parse_json((ROOT / "samples" / f"{name}.json").read_text(encoding="utf-8")).value


def advise(document: Document, **asked: Any) -> list[Row]:
    """Each step that has something to do, applied alone."""
    return Measurer(document, StepOptions(**asked)).single_rows()


def best_combination(document: Document, **asked: Any) -> Row:
    """The self-contained steps that save most together."""
    return Measurer(document, StepOptions(**asked)).best_row()
