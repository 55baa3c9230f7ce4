"""Templates of the user's own: a text that says what the line of a record looks like.

::

    # orders, the newest first
    rows: orders
    id: number
    summary: {count} of {total} orders
    line: {placed_at|date} {customer.company or customer.email}: {items[].name|join:"; "}
          <[{shipping.address.city}]> <{?gift}🎁> <id:{number|short}>

A template is data. Nothing of it is run: a path walks keys of objects and places of lists and
nothing else, formatters are those of :data:`FORMATTERS`, and what a record holds is never read as
a template. The grammar (ABNF, RFC 5234; case-sensitive; comments and settings are lines)::

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

Blanks may stand around the parts of a field. A pattern has 100 values at most, a value 8
formatters, and an argument 100 characters. Meaning:

- ``rows`` says where the list of records lies. Without it that is the value itself, or the only
  list in it. ``id`` (``id`` if not set) is the field that ``ids`` are made of. ``summary`` is a
  pattern over the whole payload, with ``count`` for the number of lines.
- A field shows the first of its values that is not empty. Empty are: missing, null, a text of
  blanks, a list with nothing to show, and what a formatter cannot read. A list is joined by ", ",
  an object shows its ``name``. ``$`` is the record itself.
- ``{?x}`` and ``{!x}`` show nothing: they are conditions of the part they stand in. ``x`` holds
  unless it is missing, null, false, 0, a text of blanks, or a list or object with nothing in it.
  ``{?x or y}`` asks for one of them at least, ``{!x or y}`` for neither.
- A part vanishes, brackets and all, when a field or condition directly in it is empty or does not
  hold, or when all it has are parts and each of them vanished.
- Every run of blanks in a line is one space, and there is none at its ends: what is missing leaves
  no gap, and a pattern may be written over several lines.
"""

from toon.compact.templates.files import decoded, load, save
from toon.compact.templates.formatters import FORMATTERS
from toon.compact.templates.help import HELP
from toon.compact.templates.parser import parse
from toon.compact.templates.scanner import MAX_LENGTH, TemplateError
from toon.compact.templates.template import Template

__all__ = [
    "FORMATTERS",
    "HELP",
    "MAX_LENGTH",
    "Template",
    "TemplateError",
    "decoded",
    "load",
    "parse",
    "save",
]
