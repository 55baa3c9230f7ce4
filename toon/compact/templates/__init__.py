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
formatters, and an argument at most 100 characters. :data:`HELP` tells the meaning. A list with
nothing to show is empty too. A part is left out with its literals if a field directly in it is
empty, if a condition directly in it does not hold, or if it has only parts and all of them are left
out. A line is trimmed at both ends, so a part that is left out leaves no gap.
"""

from pathlib import Path
from typing import Final

from toon.compact.templates.formatters import FORMATTERS
from toon.compact.templates.parser import MAX_LENGTH, TemplateError, parse
from toon.compact.templates.template import Template

__all__ = ["FORMATTERS", "HELP", "MAX_LENGTH", "Template", "TemplateError", "parse"]

_CELLS: Final = [(item.usage.replace("|", "\\|"), item.effect) for item in FORMATTERS.values()]
_ROWS: Final = "\n".join(f"| `{usage}` | {does} |" for usage, does in _CELLS)

#: The help for people who write a template, in Markdown, shown next to the editor of templates.
HELP: Final = f"{Path(__file__).with_name('help.md').read_text('utf-8')}{_ROWS}\n"
