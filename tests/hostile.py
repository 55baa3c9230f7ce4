"""Texts that something could obey: every page, report and command has to show them as they are."""

import re
from typing import Final

#: By what would obey them, where a text is read as Markdown, HTML or a chart's description.
MARKUP: Final = {
    "a picture": "![a](https://evil.example/a.png)",
    "a link": "[link](javascript:alert(1))",
    "a bare address": "https://evil.example/x",
    "bold": "**bold**",
    "struck": "~~gone~~",
    "code": "`code`",
    "HTML": "<img src=x onerror=alert(1)>",
    "a script's end": "</script><script>alert(1)</script>",
    "an attribute's end": '"><svg onload=alert(1)>',
    "an entity": "&lt;b&gt;",
    "LaTeX": "$x^2$",
    "a colour": ":red[red]",
    "a background": ":blue-background[blue]",
    "an icon": ":material/home:",
    "an emoji": ":smile:",
    "a template": "{{7*7}} ${7*7} <%= 7*7 %>",
    "a table": "a|b|c",
    "an arrow": "a -> b",
    "Vega": "datum['x'] ? signal('y') : {\"expr\": \"1\"}",
    "dot": 'x" [label=<<b>y</b>>] "z',
}
#: What a spreadsheet would compute.
FORMULAS: Final = ["=1+1", "+1+1", "-1+1", "@SUM(1)", "=HYPERLINK(1)", "\t=1+1"]
#: What a terminal obeys, and what reorders the text around it.
CONTROLS: Final = ["\x1b[31mred", "\x1b]0;title\x07", "a\u202eb", "a\u2066b", "a\x9b31m", "a\rb"]
#: What no terminal, report or page may get of them.
CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
ALL: Final = [*MARKUP.values(), *FORMULAS, *CONTROLS]
