"""Timestamps: reading them, zones and ages."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toon.compact.errors import QueryError
from toon.compact.relative import instant, is_date, read_time, utc_text, write_age, zone_of

NOW = datetime(2026, 2, 18, 14, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("time", "age"),
    [
        ("2026-02-18T14:29:01Z", "just now"), ("2026-02-18T14:29:00Z", "1m ago"),
        ("2026-02-18T13:31:00Z", "59m ago"), ("2026-02-18T13:30:00Z", "1h ago"),
        ("2026-02-17T14:31:00Z", "23h ago"), ("2026-02-17T14:30:00Z", "1d ago"),
        ("2026-02-11T14:30:00Z", "1w ago"), ("2026-01-20T14:30:00Z", "4w ago"),
        ("2026-01-19T14:30:00Z", "1mo ago"), ("2025-02-19T14:30:00Z", "11mo ago"),
        ("2025-02-18T14:30:00Z", "1y ago"), ("0001-01-01T00:00:00+23:59", "2026y ago"),
        ("2026-02-18T16:30:00Z", "in 2h"), ("2026-02-21T14:30:00Z", "in 3d"),
        ("2026-02-18T14:30:59Z", "just now"), ("2026-02-18T15:30:00+01:00", "just now"),
    ],
)  # fmt: skip
def test_an_age(time: str, age: str) -> None:
    moment = read_time(time)

    assert moment is not None
    assert write_age(moment, NOW) == age


offsets = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(timezones=st.one_of(st.none(), offsets)))
def test_iso_timestamps_are_read(time: datetime) -> None:
    moment = read_time(time.isoformat())

    assert moment == time
    assert moment is not None
    assert moment.utcoffset() == time.utcoffset()


@pytest.mark.parametrize(
    "value",
    ["", "today", "2026-02-30", "2026-13-01T00:00:00Z", "2026-02-18T24:00:00Z", "20260218",
     "2026-W08", "2026-02-18T09:00:00+99:00", "2026-02-18Z", "٢٠٢٦-02-18", "T14", "2026-02-18T09",
     1771425000, None, True, [], {}],
)  # fmt: skip
def test_values_that_are_not_timestamps(value: Any) -> None:
    assert read_time(value) is None


def test_dates_and_offsets() -> None:
    assert is_date("2026-02-18")
    assert not is_date("2026-02-18T00:00:00Z")
    assert not is_date("2026-02-31")
    bare = datetime(2026, 2, 18)
    assert read_time(" 2026-02-18 ") == bare
    assert instant(bare) == datetime(2026, 2, 18, tzinfo=UTC)
    assert utc_text(instant(bare, zone_of("Asia/Tokyo"))) == "2026-02-17T15:00:00Z"
    assert utc_text(datetime(99, 1, 1, 0, 0, 0, 999_999)) == "0099-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../etc/passwd", "Europe", "/etc/localtime", "\0"]
)
def test_an_unknown_zone_is_an_invalid_query(name: str) -> None:
    with pytest.raises(QueryError) as caught:
        zone_of(name)

    assert caught.value.as_json() == {
        "error": {
            "code": "INVALID_QUERY",
            "message": f"tz is not a time zone: {name!r}",
            "details": {"parameter": "tz", "value": name},
            "hint": "write an IANA name such as Europe/Madrid or UTC",
        }
    }
