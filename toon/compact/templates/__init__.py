"""Templates: texts in which users say what the line of a record looks like.

::

    # orders, the newest first
    rows: orders
    id: number
    summary: {count} of {total} orders
    line: {placed_at|date} {customer.company or customer.email}: {items[].name|join:"; "}
          <[{shipping.address.city}]> <{?gift}🎁> <id:{number|short}>

A template is data, and no part of it is run as code. A path only follows keys of objects and places
in lists, the only formatters are :data:`FORMATTERS`, and the content of records is never read as a
template. The grammar (ABNF, RFC 5234; case-sensitive; comments and settings are lines)::

    template  = *( [ comment / setting ] LF ) "line:" pattern
    comment   = "#" *any
    setting   = "rows:" path / "id:" path / "summary:" pattern      ; each once at most
    pattern   = *( literal / field / part )
    part      = "<" pattern ">"                                     ; 8 in each other at most
    field     = "{" [ "?" / "!" ] value *( or value ) [ or string ] "}"
    or        = 1*blank "or" 1*blank
    value     = path *( "|" name [ ":" argument *( "," argument ) ] )
    argument  = number / string
    path      = ( "$" / key / place ) *( "." key / place )
    place     = "[]" / "[" number "]" / "[" string "]"              ; every, one from 0, a key
    key       = 1*( any but . [ ] { } | < > \\ quote and blank )     ; not "$"; no "?" or "!" first
    literal   = 1*( any but { } < > \\ ) / "\\" ( "{" / "}" / "<" / ">" / "\\" )
    number    = [ "-" ] 1*DIGIT
    string    = a string as in JSON
    blank     = whitespace, line breaks included

Blanks may surround the parts of a field. A pattern has at most 100 values, a value at most 8
formatters, and an argument at most 100 characters. The meaning:

- ``rows`` is the path to the list of records. Without it, the list is the payload itself or the
  only list in it. ``id`` is the path to the id of a record, by default ``id``. ``summary`` is a
  pattern over the whole payload, where ``count`` is the number of lines.
- A field shows the first of its values that is not empty. A value is empty if it is missing, null,
  blank, a list with nothing to show, or something that a formatter cannot read. A list is joined
  with ", "; an object shows its ``name``. ``$`` is the record itself.
- ``{?x}`` and ``{!x}`` show nothing: they are conditions of the part around them. ``x`` is true
  unless it is missing, null, false, 0, a blank text, or an empty list or object. ``{?x or y}``
  holds if at least one is true, ``{!x or y}`` if neither is.
- A part is left out, with its literals, if a field directly in it is empty, if a condition directly
  in it does not hold, or if it has only parts and all of them are left out.
- Each run of blanks in a line becomes one space, and both ends are trimmed. So a part that is left
  out leaves no gap, and a pattern may span several lines.
"""

from toon.compact.templates.formatters import FORMATTERS
from toon.compact.templates.help import HELP
from toon.compact.templates.parser import parse
from toon.compact.templates.scanner import MAX_LENGTH, TemplateError, decoded
from toon.compact.templates.template import Template

__all__ = [
    "FORMATTERS",
    "HELP",
    "MAX_LENGTH",
    "Template",
    "TemplateError",
    "decoded",
    "parse",
]
