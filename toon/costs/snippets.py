"""Snippets: a program's few lines that write a payload in a format, as its tokens were counted.

Snippets for several formats and the API stand here, beside the explanations: a format's own file
knows neither.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from shlex import quote
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import orjson

from toon.codec.text import DELIMITERS, LEGACY_VERSION
from toon.costs.document import Document
from toon.formats import FORMATS, Format
from toon.formats.json import JSON_COMPACT
from toon.formats.json_columns import JSON_COLUMNS
from toon.formats.toon import ToonFormat
from toon.formats.tron import RESERVED, TRON
from toon.formats.yaml import YAML, YamlFormat
from toon.values.walks import keys_of, objects, scalar_values

#: Requirements: our codec is the core of the package, our other formats need an extra.
_ALONE: Final = "where neither `toon` nor `python-toon` of PyPI is, which share its name"
_OURS: Final = f"`pip install token-lab`, {_ALONE}"
_ALL_OURS: Final = f"`pip install 'token-lab[tokens]'`, {_ALONE}"
_NOTHING: Final = "built in"

#: The largest key that JavaScript takes for an array's index, and moves before all others.
_LAST_INDEX: Final = 2**32 - 2

#: The most items of an array, fields of an object, and characters of a text in an example.
_ITEMS, _FIELDS, _CHARACTERS = 2, 8, 40

#: The lines of a program that read the JSON of its payload, and print its text.
_AROUND: Final = {
    "python": ("payload = json.loads('{}')", "print(text)"),
    "javascript": ("const payload = JSON.parse('{}');", "console.log(text);"),
}


class Snippet(NamedTuple):
    """Lines of code that make a text from ``payload``, as parsed, or from the file payload.json.

    ``language`` is one that Markdown knows. ``needs`` is Markdown: the requirements, or where the
    lines go.
    """

    title: str
    language: str
    code: str
    needs: str

    def program(self, example: str) -> str:
        """Return a snippet as a complete program, with the JSON ``example`` as the payload."""
        if self.language == "bash":
            return self.code.replace("@payload.json", quote(example))
        if self.language not in _AROUND:
            return self.code
        imports, _, code = self.code.rpartition("\n\n")
        if self.language == "python" and "import json" not in imports:
            imports = f"import json\n\n{imports}"
        reads, shows = _AROUND[self.language]
        in_quotes = example.replace("\\", "\\\\").replace("'", "\\'")  # for either language
        read = reads.format(in_quotes)
        return "\n".join([*([imports, ""] if imports else []), read, code, shows])


def cut_example(value: Any) -> Any:
    """Cut a JSON value, for an example: return its first items, fields and characters."""
    if isinstance(value, list):
        return list(map(cut_example, value[:_ITEMS]))
    if isinstance(value, dict):
        return {key: cut_example(item) for key, item in list(value.items())[:_FIELDS]}
    return value[:_CHARACTERS] if isinstance(value, str) else value


_JSON: Final = (
    Snippet(
        "Python",
        "python",
        'import json\n\ntext = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))',
        _NOTHING,
    ),
    Snippet(
        "Python, orjson",
        "python",
        "import orjson\n\ntext = orjson.dumps(payload).decode()",
        "`pip install orjson`",
    ),
    Snippet("JavaScript", "javascript", "const text = JSON.stringify(payload);", _NOTHING),
)
_BY_COLUMNS: Final = (
    Snippet(
        "Python, orjson",
        "python",
        """\
import orjson


def by_columns(value):
    if isinstance(value, dict):
        return {key: by_columns(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    names = list(value[0]) if len(value) > 1 and isinstance(value[0], dict) else []
    if not names or any(not isinstance(row, dict) or list(row) != names for row in value):
        return [by_columns(item) for item in value]
    return {"columns": names, "rows": [by_columns(list(row.values())) for row in value]}


text = orjson.dumps(by_columns(payload)).decode()""",
        "`pip install orjson`",
    ),
    Snippet(
        "JavaScript",
        "javascript",
        """\
const names = (item) =>
  JSON.stringify(item && !Array.isArray(item) && typeof item === "object" ? Object.keys(item) : []);
const byColumns = (value) => {
  if (value === null || typeof value !== "object") return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, byColumns(item)]));
  const first = value.length > 1 ? names(value[0]) : "[]";
  if (first === "[]" || value.some((item) => names(item) !== first)) return value.map(byColumns);
  return {
    columns: JSON.parse(first),
    rows: value.map((row) => Object.values(row).map(byColumns)),
  };
};
const text = JSON.stringify(byColumns(payload));""",
        _NOTHING,
    ),
)
_TRON: Final = Snippet(
    "JavaScript",
    "javascript",
    'import { TRON } from "@tron-format/tron";\n\nconst text = TRON.stringify(payload);',
    "`npm install @tron-format/tron`",
)
_PYYAML: Final = Snippet(
    "Python, PyYAML",
    "python",
    "import yaml\n\n"
    "text = yaml.safe_dump(\n"
    "    payload, sort_keys=False, allow_unicode=True, width=2**31\n"
    ').removesuffix("\\n").removesuffix("\\n...")',
    "`pip install pyyaml`",
)


#: Snippets of formats without our library.
_OTHERS: Final = {
    JSON_COLUMNS.name: _BY_COLUMNS,
    TRON.name: (_TRON,),
    YAML.name: (_PYYAML,),
}


def snippets(format: Format, explanation: str, server: str) -> list[Snippet]:
    """Return code to copy: programs that write ``format``, a request to our API, and the note.

    Args:
        format: The format to send; TOON with its delimiter and indent.
        explanation: The note that explains the payload's text to a model; "" if it needs none.
        server: The address of this server: ``http://localhost:8501``.
    """
    results = [*_programs(format), _request(format, server)]
    if explanation:
        results.append(
            Snippet(
                "Note to the model", "text", explanation, "once in the prompt, before the payloads"
            )
        )
    return results


def _programs(format: Format) -> Iterator[Snippet]:
    if format is JSON_COMPACT:
        return iter(_JSON)
    if isinstance(format, ToonFormat):
        return _toon_programs(format)
    code = f'from toon.formats import FORMATS\n\ntext = FORMATS["{format.name}"].dumps(payload)'
    ours = Snippet("Python, our library", "python", code, _ALL_OURS)
    return iter([ours, *_OTHERS.get(format.name, ())])


def _toon_programs(format: ToonFormat) -> Iterator[Snippet]:
    is_legacy = format.spec == LEGACY_VERSION
    args = {} if format.delimiter == DELIMITERS[0] else {"delimiter": json.dumps(format.delimiter)}
    args |= {} if format.indent_size == 2 else {"indent_size": str(format.indent_size)}
    args |= {"spec": f'"{format.spec}"'} if is_legacy else {}
    call = ", ".join(["payload", *(f"{name}={value}" for name, value in args.items())])
    code = f"import toon\n\ntext = toon.encode({call})"
    yield Snippet("Python, our library", "python", code, _OURS)
    if is_legacy:
        return
    code = f"import toon_format\n\ntext = toon_format.encode({call})"
    yield Snippet("Python, toon-format", "python", code, '`pip install "toon-format>=1.2"`')
    options = ", ".join(f"{name}: {value}" for name, value in args.items())
    options = f", {{ {options} }}".replace("indent_size", "indentSize") if options else ""
    code = (
        f'import {{ encode }} from "@toon-format/toon";\n\nconst text = encode(payload{options});'
    )
    yield Snippet("JavaScript", "javascript", code, "`npm install @toon-format/toon@4`")


def _request(format: Format, server: str) -> Snippet:
    query = {"from": "json", "to": format.name}
    if isinstance(format, ToonFormat) and format.indent_size != 2:
        query["indent"] = str(format.indent_size)
    address = quote(f"{server}/api/v1/convert?{urlencode(query)}")
    code = f"curl -s {address} --data-binary @payload.json"
    return Snippet(
        "curl, our API", "bash", code, "this server; `--data-binary @payload.json` sends a file"
    )


# -- differences from the counted text -----------------------------------------------------------


def find_format(name: str, indent: int) -> Format:
    """Return the format called ``name``; if it is TOON, with ``indent`` spaces a level."""
    format = FORMATS[name]
    return replace(format, indent_size=indent) if isinstance(format, ToonFormat) else format


def uses_and_differences(
    document: Document, name: str, indent: int, tokenizer: str
) -> tuple[frozenset[str], list[str]]:
    """Return the constructs of a payload's text that a note must explain.

    Return also sentences on where a format's programs write the payload otherwise.

    Raises:
        EncodeError, NotApplicable: The format cannot carry the value.
    """
    format = find_format(name, indent)
    is_counted = format == FORMATS[name]
    counted = document.text(name, tokenizer) if is_counted else format.dumps(document.value)
    return format.uses(counted), differences(format, document.value, counted)


def differences(format: Format, value: Any, counted: str) -> list[str]:
    """Return sentences on where a format's programs write a JSON value unlike the counted text."""
    notes: list[str] = []
    if format is JSON_COMPACT:
        if format.dumps(value) != counted:
            notes.append(
                "Counted was the text as typed without its whitespace; these write its numbers and "
                "escapes anew, which takes more tokens."
            )
        notes += _number_forms(value)
    elif format is JSON_COLUMNS:
        notes += _number_forms(value, with_json=False)
    elif format is TRON and TRON.uses(counted):  # what its reference does not read back alike
        header = counted.partition("\n\n")[0]
        if any(f'"{word}"' in header for word in RESERVED):
            notes.append(
                "@tron-format/tron writes the key class, null, true or false so that it is not "
                "read."
            )
        if header and any("," in key for key in keys_of(value)):
            notes.append("@tron-format/tron may take two shapes for one where a key holds a comma.")
    elif isinstance(format, YamlFormat):
        notes.append("JavaScript's yaml quotes other texts, so its tokens are not those counted.")
        if not format.matches_pyyaml(value):
            notes.append("PyYAML leaves texts such as 1e5 bare, which YAML 1.2 takes for numbers.")
    elif isinstance(format, ToonFormat) and format.spec == LEGACY_VERSION:
        notes.append("The current toon-format and @toon-format/toon write TOON 4.4, not 3.3.")
    in_javascript = any(snippet.language == "javascript" for snippet in _programs(format))
    if in_javascript and any(map(_is_reordered, objects(value))):
        notes.append("JavaScript moves keys that are whole numbers, such as 12, before others.")
    if changes := JSON_COMPACT.stock_changes(value, JSON_COMPACT.dumps(value)):
        notes.append(f"Numbers change when the JSON is read: {changes}.")
    return notes


def _number_forms(value: Any, *, with_json: bool = True) -> Iterator[str]:
    """Yield a sentence where orjson, and Python's json, refuse numbers or write them unlike us."""
    programs = "Python's json and orjson write" if with_json else "orjson writes"
    numbers = [item for item in scalar_values(value) if isinstance(item, int | float)]
    if any(isinstance(item, int) and not -(2**63) <= item < 2**64 for item in numbers):
        yield "orjson refuses integers of more than 64 bits."
    for item in numbers:
        if isinstance(item, float) and (item.is_integer() or "e" in repr(item)):
            ours, others = JSON_COMPACT.dumps(item), [orjson.dumps(item).decode()]
            if with_json:
                others.insert(0, repr(item))
            if theirs := next((text for text in others if text != ours), ""):
                yield f"{programs} {theirs}, where {ours} was counted."
                return


def _is_reordered(item: dict[str, Any]) -> bool:
    """Return whether JavaScript changes the order of an object's keys."""
    numbers = (key for key in item if key.isascii() and key.isdigit() and len(key) <= 10)
    indices = [key for key in numbers if str(int(key)) == key and int(key) <= _LAST_INDEX]
    return list(item)[: len(indices)] != sorted(indices, key=int)
