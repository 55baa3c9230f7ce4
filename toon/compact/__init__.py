"""List responses as lines for a reader, as in ``?format=compact``; with ``fields`` and ``since``.

What a line leaves out is lost: compare it with JSON of the same fields, too.
"""

from toon.compact.domains import DOMAINS, domain_of
from toon.compact.envelope import compact
from toon.compact.errors import QueryError
from toon.compact.fields import fields
from toon.compact.since import diff, since

__all__ = ["DOMAINS", "QueryError", "compact", "diff", "domain_of", "fields", "since"]
