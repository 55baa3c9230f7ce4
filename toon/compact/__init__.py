"""List responses as lines for a reader, as in ``?format=compact``.

What a line leaves out is lost: compare it with JSON of the same fields, too.
"""

from toon.compact.domains import DOMAINS, domain_of
from toon.compact.envelope import compact
from toon.compact.errors import QueryError

__all__ = ["DOMAINS", "QueryError", "compact", "domain_of"]
