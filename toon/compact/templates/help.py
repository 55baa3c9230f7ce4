"""The help for people who write a template, in Markdown."""

from __future__ import annotations

from typing import Final

from toon.compact.templates.formatters import FORMATTERS


def _rows() -> str:
    cells = ((f.usage.replace("|", "\\|"), f.does) for f in FORMATTERS.values())
    return "\n".join(f"| `{usage}` | {does} |" for usage, does in cells)


#: Shown next to the editor of templates.
HELP: Final = f"""\
A template says what the line of each record looks like. The shortest is one pattern:

```
line: {{title}} <[{{location}}]> <id:{{id|short}}>
```

| You write | You get |
| --- | --- |
| `{{title}}` | the field; a list is joined by ", ", an object shows its `name` |
| `{{customer.email}}` `{{emails[0].address}}` `{{items[].name}}` | a field of an object, of the \
first entry of a list, of every entry |
| `{{["full name"]}}` `{{$}}` | a field whose name has spaces or punctuation; the record itself |
| `{{title or subject or "(untitled)"}}` | the first of these that is not empty |
| `{{placed_at\\|date}}` `{{tags\\|first:3\\|join:"/"}}` | the field, written in another way |
| `<[{{location}}]>` | a part that is left out, brackets included, if a field in it is empty |
| `<{{?pinned}}📌>` `<{{!read}}new>` | a part that shows only if the field is true, or only if it \
is not true |
| `\\{{ \\}} \\< \\> \\\\` | these characters themselves |

A value is empty if it is missing, null or blank, or if a formatter cannot read it. In a condition,
false, 0 and an empty list or object are not true either. `{{?a or b}}` holds if at least one of the
fields is true, `{{!a or b}}` if neither is. Spaces and line breaks in a row become one space, so a
pattern may span several lines.

Lines before `line:` are settings; `#` begins a comment:

```
# the path to the list of records (without it: the payload, or the only list in it)
rows: data.orders
# the path to the id of a record (without it: id)
id: number
# the text above the lines: fields of the payload, and count
summary: {{count}} {{count|plural:"order","orders"}}
line: {{placed_at|date}} {{customer.name}} <id:{{number}}>
```

| Formatter | What it gives |
| --- | --- |
{_rows()}
"""
