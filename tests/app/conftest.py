"""What the page tests share."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT


@pytest.fixture
def app() -> AppTest:
    """The app at its first page, run once."""
    return AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=60).run()


def table_with(app: AppTest, column: str) -> pd.DataFrame:
    """The one table that has this column."""
    (table,) = (frame.value for frame in app.dataframe if column in frame.value.columns)
    return table
