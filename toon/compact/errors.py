"""The error of a query. Clients get it as JSON, even if they asked for another format."""

from typing import Any

INVALID_QUERY = "INVALID_QUERY"
NOT_FOUND = "NOT_FOUND"


class QueryError(ValueError):
    """Raised for a query for records that cannot be answered.

    Attributes:
        code: the kind of error, for programs: ``INVALID_QUERY``, ``NOT_FOUND``.
        message: what is wrong, for people.
        details: the facts, such as ``parameter`` and ``value``.
        hint: what would probably fix it, or None.
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
        """The HTTP status that goes with the code of the error: 404 or 400."""
        return 404 if self.code == NOT_FOUND else 400

    def as_json(self) -> dict[str, Any]:
        """Return the error as JSON: ``{"error": {"code", "message", "details"}}``, and ``hint``."""
        error = {"code": self.code, "message": self.message, "details": self.details}
        return {"error": error if self.hint is None else {**error, "hint": self.hint}}


def refusal(name: str, value: Any, message: str, hint: str | None = None) -> QueryError:
    """Return a QueryError for a parameter of a query with a wrong value; the caller raises it."""
    return QueryError(message, details={"parameter": name, "value": value}, hint=hint)
