"""What is wrong with a query, as the JSON every client gets, whatever format it asked for."""

from __future__ import annotations

from typing import Any

INVALID_QUERY = "INVALID_QUERY"
NOT_FOUND = "NOT_FOUND"


class QueryError(ValueError):
    """A query that cannot be answered.

    ``code`` is for programs, ``message`` for people; ``details`` holds the facts (a parameter and
    its value), ``hint`` what would probably mend it.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = INVALID_QUERY,
        details: dict[str, Any] | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details or {}
        self.hint = hint

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return 404 if self.code == NOT_FOUND else 400

    def as_json(self) -> dict[str, Any]:
        """``{"error": {"code", "message", "details"}}``, with ``hint`` where there is one."""
        error = {"code": self.code, "message": self.message, "details": self.details}
        return {"error": error if self.hint is None else {**error, "hint": self.hint}}


def objects(records: list[Any]) -> list[dict[str, Any]]:
    """``records`` if all of them are objects; QueryError names the first that is not."""
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise QueryError(f"record {number} is not an object", details={"record": number})
    return records
