"""Lists of records as lines for a model to read, as in ``?format=compact``.

A line leaves fields out. A fair comparison is with JSON of the same fields.
"""

from toon.compact.domains import DOMAINS, compact, domain_of
from toon.compact.errors import QueryError

__all__ = ["DOMAINS", "QueryError", "compact", "domain_of"]
