"""The models that a run's records name, and the price of each payload with its own."""

from decimal import Decimal
from typing import NamedTuple

import numpy as np

from toon.analysis.columns import Floats, Places, codes_of
from toon.analysis.money import price_calls
from toon.analysis.rows import Rows
from toon.costs.models import Model
from toon.costs.named import nearest_model
from toon.costs.prices import unpriced
from toon.formats import AS_TYPED


class Named(NamedTuple):
    """A model as records name it: how many payloads, with what share of the tokens of all that name
    one, and which model it is, if it is known.
    """

    name: str
    payloads: int
    share: float
    model: Model | None
    code: int

    def is_priced(self, tokenizer: str) -> bool:
        """Return whether a model is counted by this tokenizer and has a price."""
        if self.model is None or self.model.tokenizer != tokenizer:
            return False
        return unpriced(self.model) is None


def find_named(rows: Rows, measured: Places) -> list[Named]:
    """Return the models that the rows at ``measured`` name, those of most tokens first.

    The run's first tokenizer counts them, as the payloads were typed.
    """
    names = rows.models.dictionary.to_pylist()
    codes = codes_of(rows.models)[measured]
    naming = codes >= 0
    counts = rows.tokens[rows.tokenizers[0]].at(AS_TYPED, measured[naming])
    payloads = np.bincount(codes[naming], minlength=len(names)).tolist()
    tokens = np.bincount(codes[naming], counts, minlength=len(names))
    shares = (tokens / max(1.0, tokens.sum())).tolist()
    found = (
        Named(str(name), payloads[code], shares[code], nearest_model(str(name)), code)
        for code, name in enumerate(names)
        if payloads[code]
    )
    return sorted(found, key=lambda named: (-named.share, named.name))


def price_logged(
    rows: Rows, measured: Places, costs: Floats, priced: list[Named]
) -> Decimal | None:
    """Return US dollars for sending each measured row once, to the model that its record names.

    ``costs`` are their tokens. Rows of other models than the ``priced`` have no part in it.
    """
    codes, total = codes_of(rows.models)[measured], Decimal(0)
    for named in priced:
        key = (named.model.price if named.model else None) or ""
        price = price_calls(key, costs[codes == named.code])
        if price is None:
            return None
        total += price
    return total
