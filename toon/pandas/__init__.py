"""``import toon.pandas`` gives DataFrames and Series ``.toon.encode()`` and ``.toon.stats()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from toon.installed import require

require("traffic", "toon.pandas")

import pandas as pd

from toon.codec.default import default
from toon.codec.writing import encode
from toon.notebook.answer import Answer
from toon.notebook.stats import stats

if TYPE_CHECKING:
    from toon.codec.writing import EncodeOptions


@pd.api.extensions.register_dataframe_accessor("toon")
@pd.api.extensions.register_series_accessor("toon")
class ToonAccessor:
    """The accessor ``.toon`` of pandas, which takes a DataFrame as rows and a Series as values.

    Missing values are ``null``. An index that does more than number the rows is kept: see
    :func:`toon.default`.
    """

    def __init__(self, data: pd.DataFrame | pd.Series) -> None:
        self._data = data

    def encode(self, **options: Unpack[EncodeOptions]) -> str:
        """Write a DataFrame or Series as TOON; options and errors as in :func:`toon.encode`."""
        options.setdefault("default", default)
        return encode(self._data, **options)

    def stats(
        self, model: str = "", together: int | None = 1, explained_cached: float = 0.0
    ) -> Answer:
        """Return what a DataFrame or Series costs a model in tokens, and the format to send it in.

        Arguments, answer and errors are those of :func:`toon.stats`.
        """
        return stats(self._data, model, together, explained_cached)
