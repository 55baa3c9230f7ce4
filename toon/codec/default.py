"""A ready ``default`` for the types that Python programs hold beside JSON's."""

import sys
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import Enum
from typing import Any
from uuid import UUID


def default(value: Any) -> Any:
    """Convert a value that JSON lacks to one that it has: ``encode(value, default=default)``.

    Dates and times become ISO 8601, ``UUID`` its text, other enums their value, dataclasses and
    models of pydantic their fields, numpy's arrays and numbers lists and numbers, and what pandas
    calls missing ``null``. The same function serves ``json.dumps``.

    A DataFrame of pandas becomes its rows and a Series its values. An index with a name, or with
    other labels than 0, 1, 2 and so on, holds data: its levels are the first columns, named as
    ``reset_index`` names them, and a Series without a name is the column ``values`` beside them.
    ``reset_index(drop=True)`` drops the labels that a filter left.

    Raises:
        TypeError: The value is of another type.
        ValueError: Two columns have one name.
    """
    # Where numpy and pandas were not imported, nothing is of their types.
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if isinstance(value, date | time):
        return None if value != value else value.isoformat()  # NaT of pandas is not itself
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if numpy and isinstance(value, numpy.ndarray | numpy.generic):
        if value.dtype.kind == "M":
            return _drop_nat(numpy.datetime_as_string(value).tolist())
        # Numbers that Python has no type for, such as longdouble, stay numpy's.
        plain = value.tolist() if value.dtype.kind in "biufOUT" else value
        if not isinstance(plain, numpy.generic):
            return plain
    if pandas and isinstance(value, pandas.DataFrame | pandas.Series):
        return _list_rows(value, pandas)
    if pandas and isinstance(value, pandas.Index | pandas.api.extensions.ExtensionArray):
        return value.tolist()
    if pandas and value is pandas.NA:
        return None
    if hasattr(type(value), "model_dump"):  # of pydantic
        return value.model_dump()
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _drop_nat(texts: Any) -> Any:
    if isinstance(texts, list):
        return list(map(_drop_nat, texts))
    return None if texts == "NaT" else texts


def _list_rows(value: Any, pandas: Any) -> list[Any]:
    """Return a pandas Series as a list, a DataFrame as dicts; an index with data gives columns."""
    index = value.index
    # Where no index is given, pandas makes one of 0, 1, 2 and so on.
    is_range = index.dtype.kind == "i" and index.equals(pandas.RangeIndex(len(index)))
    if index.name is not None or not is_range:
        if isinstance(value, pandas.Series):
            value = value.to_frame("values" if value.name is None else value.name)
        value = value.set_axis(value.columns.astype(object), axis=1)  # of a CategoricalIndex too
        value = value.reset_index(allow_duplicates=True)
    if isinstance(value, pandas.Series):
        plain: list[Any] = value.tolist()
        return plain
    if not value.columns.is_unique:
        twin = value.columns[value.columns.duplicated()][0]
        raise ValueError(f"two columns, or one and the index, are named {twin!r}")
    rows: list[Any] = value.astype(object).where(value.notna(), None).to_dict("records")
    return rows
