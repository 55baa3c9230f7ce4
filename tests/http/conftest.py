"""A client of the app's own routes."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.http.client import client_of


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with client_of() as client:
        yield client
