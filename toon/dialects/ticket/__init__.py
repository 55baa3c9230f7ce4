"""TOON/1: the one-line shorthand in which a ticket server talks to agents.

``TOON/1 T{id:a-1,t:"Fix login",s:ip,p:h}`` is a ticket. Lists, boards, errors and ``{ok:true}``
have envelopes of their own; other JSON has a generic form. ``README.md`` lists fields and
codes.
"""

from toon.dialects.ticket.decoder import read
from toon.dialects.ticket.encoder import choose_envelope, encode, is_ticket, losses
from toon.dialects.ticket.kinds import layout

__all__ = ["choose_envelope", "encode", "is_ticket", "layout", "losses", "read"]
