"""A client of the routes without a server, and what every answer must look like."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount
from starlette.testclient import TestClient

from toon.http import ROUTES
from toon.tokenizers import TOKENIZERS


@contextmanager
def client_of(*routes: BaseRoute) -> Iterator[TestClient]:
    """A client of the app's own routes, or of those given."""
    app = Starlette(routes=[Mount("/api", routes=list(routes or ROUTES))])
    with TestClient(app) as client:
        yield client


def assert_headers(answer: Any) -> None:
    """The headers that every answer of ``/api/v1`` has."""
    headers = answer.headers
    counted = TOKENIZERS[headers["x-token-count-tokenizer"]].count(answer.text)
    assert headers["x-token-count"] == str(counted)
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert "access-control-allow-origin" not in headers
    assert all(name.isascii() and value.isprintable() for name, value in headers.items())
    assert all(value.isascii() for value in headers.values())


def error_of(answer: Any) -> dict[str, Any]:
    """The error in an answer, its headers checked."""
    assert_headers(answer)
    assert answer.headers["content-type"] == "application/json"
    (error,) = answer.json().values()
    assert list(answer.json()) == ["error"]
    assert list(error)[:3] == ["code", "message", "details"]
    assert isinstance(error, dict)
    return error
