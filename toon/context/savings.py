"""The savings of an agent's run: the sum of its calls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final

from toon.context.formatter import ContextConfig, ContextFormatter, Result
from toon.errors import EncodeError

#: The figures of a result that are added up, by their names in both classes.
_SUMMED: Final = ("json_tokens", "pretty_tokens", "toon_tokens", "saved_tokens")


@dataclass(frozen=True, slots=True)
class Savings:
    """Totals over calls.

    ``sent_tokens`` counts all texts sent; it is None as soon as one of them could not be counted.
    ``json_tokens``, ``pretty_tokens``, ``toon_tokens`` and ``saved_tokens`` are sums over the
    ``compared`` calls, those whose :class:`Result` has these figures; None if there are none.
    """

    converted: int = 0
    passed: int = 0
    failed: int = 0
    compared: int = 0
    sent_tokens: int | None = 0
    json_tokens: int | None = None
    pretty_tokens: int | None = None
    toon_tokens: int | None = None
    saved_tokens: int | None = None

    def plus(self, result: Result) -> Savings:
        """Add one more call to these totals."""
        sent, more = self.sent_tokens, result.sent_tokens
        total = replace(
            self,
            **{result.outcome: getattr(self, result.outcome) + 1},
            sent_tokens=None if sent is None or more is None else sent + more,
        )
        if result.saved_tokens is None:
            return total
        sums = {name: (getattr(self, name) or 0) + (getattr(result, name) or 0) for name in _SUMMED}
        return replace(total, compared=self.compared + 1, **sums)


class Run:
    """One run of an agent: a formatter that adds up what it saves. Threads may share it."""

    def __init__(self, config: ContextConfig | None = None) -> None:
        self.formatter = ContextFormatter(config or ContextConfig())
        self._savings = Savings()
        self._lock = Lock()

    @property
    def savings(self) -> Savings:
        return self._savings

    def format(self, value: Any) -> Result:
        """Call :meth:`ContextFormatter.format`; an EncodeError counts as failed and is raised."""
        try:
            return self._add(self.formatter.format(value))
        except EncodeError:
            with self._lock:
                self._savings = replace(self._savings, failed=self._savings.failed + 1)
            raise

    def format_json(self, text: str | None) -> Result:
        """Call :meth:`ContextFormatter.format_json`."""
        return self._add(self.formatter.format_json(text))

    def _add(self, result: Result) -> Result:
        with self._lock:
            self._savings = self._savings.plus(result)
        return result
