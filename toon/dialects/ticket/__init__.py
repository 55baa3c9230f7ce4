"""TOON/1: the one-line shorthand in which a ticket server talks to agents.

``TOON/1 T{id:a-1,t:"Fix login",s:ip,p:h}`` is a ticket; lists, boards, errors and ``{ok:true}``
have envelopes of their own, and any other JSON a generic form. :mod:`.tables` names the fields
and codes, :func:`encode` and :func:`decode` are the two directions.
"""

from toon.dialects.ticket.decoder import decode
from toon.dialects.ticket.encoder import Encoded, encode

__all__ = ["Encoded", "decode", "encode"]
