"""Templates applied to values: what their lines hold, and what they leave out."""

from toon.compact.domains import DOMAINS
from toon.records.templated import apply_template


def test_the_template_of_a_domain_takes_records_of_another_kind() -> None:
    value = [{"id": number, "sku": f"ab{number}", "price": 2.5} for number in range(3)]
    written = apply_template(value, DOMAINS["events"].text, "2026-02-18T14:30:00Z", "o200k_base")

    assert written["error"] == ""
    assert written["missing"]
    assert written["lines"] is not None
    assert written["lines"]["dropped"] is None
