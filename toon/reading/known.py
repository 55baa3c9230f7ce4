"""Published results of reading: counts of four models' graded answers in TOON's own benchmark.

``known.json`` holds for each model, format and kind how many questions were asked and how
many answers were right, and how many the format alone got right or wrong beside compact JSON on the
same questions. It holds nothing else of the benchmark. ``python -m tests.benchmarks.reading``
derives it.

:data:`STUDIES` holds what others measured beyond single questions.
"""

import json
from collections.abc import Container
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from toon.reading.statistics import Paired, Share

FILE: Final = Path(__file__).with_name("known.json")

SOURCE: Final = "toon-format/toon at commit f06ddca, benchmarks/results/accuracy/models"
MODELS: Final = {
    "claude-haiku-4-5-20251001": "Claude Haiku 4.5",
    "gemini-3.6-flash": "Gemini 3.6 Flash",
    "gpt-5.4-nano": "GPT-5.4 nano",
    "grok-4.5": "Grok 4.5",
}
FORMATS: Final = ("toon", "json-compact", "json-pretty", "yaml", "xml", "csv")
#: The benchmark's types of questions.
KINDS: Final = {
    "field-retrieval": "a field of a record",
    "aggregation": "counts, sums and averages",
    "filtering": "records that meet conditions",
    "structure-awareness": "structure: how many, which fields, the last",
    "structural-validation": "is the data whole",
}
#: The kinds of questions about structure, where TOON states lengths and fields.
STRUCTURE: Final = frozenset({"structure-awareness", "structural-validation"})
#: Tokens (o200k_base) of the benchmark's explanation of a format before the data.
PRIMER_TOKENS: Final = {"toon": 80, "json-compact": 10}
#: The fewest and most tokens of our explanation of TOON, on the benchmark's eight payloads.
OUR_TOKENS: Final = (42, 104)


class Study(NamedTuple):
    """A published study of what models do with TOON ``where`` they do more than answer a question.

    ``claim`` is its finding, ``measured`` names its models and tasks, ``source`` cites it, and
    ``read`` names the parts that were read here.
    """

    where: str
    claim: str
    measured: str
    source: str
    read: str


#: Points of accuracy that agents lost by a format, in the first study.
LOST_IN_LOOPS: Final = {"toon": 9, "tron": 14}

STUDIES: Final = (
    Study(
        "In agent loops",
        f"TOON saved up to 18 % of the tokens and lost about {LOST_IN_LOOPS['toon']} points of "
        f"accuracy; TRON saved up to 27 %, within {LOST_IN_LOOPS['tron']} points of JSON. With "
        "TOON, one failure to parse led to the next over "
        "turns, and most models no longer made parallel calls",
        "five open-weight models on BFCL, MCPToolBenchPP, MCP-Universe and StableToolBench, with "
        "what models read and what they write changed apart from each other",
        "Kutschka and Geiger 2026, arXiv 2605.29676",
        "the abstract and the beginning of the text",
    ),
    Study(
        "When models write",
        "plain JSON was right most often by the study's summary, at once and after repairs. Right "
        "at once were, in JSON, 95, 82, 19 and 90 % of flat rows, orders, a nested company and "
        "invoices; in TOON, after one example, 90, 74, 0 and 0 %",
        "21 models, each case ten times",
        "Matveev 2026, arXiv 2603.03306; shares of vetertann/TOON-generation-benchmark at 07b2fd0",
        "the abstract, the summary, and the table by case",
    ),
)


class Cell(NamedTuple):
    """Counts of a model's published answers in one format to one kind of question (``known.json``).

    ``gained`` counts answers that are right where compact JSON's are wrong, ``lost`` the reverse.
    """

    model: str
    format: str
    kind: str
    asked: int
    right: int
    gained: int
    lost: int


@cache
def cells() -> tuple[Cell, ...]:
    """Return the published counts of models' right answers in ``known.json``, read once: a Cell for
    each model, format and kind of question.
    """
    return tuple(map(Cell._make, json.loads(FILE.read_text(encoding="utf-8"))["answers"]))


def find_share(format: str, model: str, kinds: Container[str] = KINDS) -> Share | None:
    """Return a model's Share of right published answers in a format to ``kinds`` of questions.

    It holds the numbers of right answers and of all; None if there are none.
    """
    matching = _select_cells(format, model, kinds)
    asked = sum(cell.asked for cell in matching)
    return Share(sum(cell.right for cell in matching), asked) if asked else None


def compare(format: str, model: str, kinds: Container[str] = KINDS) -> Paired | None:
    """Return how often a model was right in a format, in compact JSON, in both and in neither.

    Only questions of ``kinds`` asked in both formats count; None if there are none.
    """
    matching = _select_cells(format, model, kinds)
    asked, right = sum(cell.asked for cell in matching), sum(cell.right for cell in matching)
    gained, lost = sum(cell.gained for cell in matching), sum(cell.lost for cell in matching)
    pair = Paired(right - gained, gained, lost, asked - right - lost)
    return pair if asked else None


def _select_cells(format: str, model: str, kinds: Container[str]) -> list[Cell]:
    return [
        cell
        for cell in cells()
        if cell.format == format and cell.model == model and cell.kind in kinds
    ]
