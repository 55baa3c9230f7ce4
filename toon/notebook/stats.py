"""``toon.stats``. It loads what it needs when it is called, so that ``help`` needs no extra."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from toon.notebook.answer import Answer


def stats(
    value: Any,
    model: str = "",
    together: int | None = 1,
    explained_cached: float = 0.0,
    *,
    service: str = "",
    service_model: str = "",
) -> Answer:
    """Return what a value costs a model in tokens, and in which format to send it.

    ``print`` shows the answer in sentences, a notebook as a card. ``.verdict`` has it as plain
    data, as ``toon stats --json`` prints it: whole tokens by the model's tokenizer, and changes as
    fractions, of which a negative one is fewer tokens.

    Args:
        value: A JSON value, or one that :func:`toon.default` converts to one.
        model: A model or tokenizer by its name; the default is that of ``toon stats``.
        together: The payloads in a prompt, which share one explanation; None: the model needs none.
        explained_cached: The share of prompts, 0 to 1, that read the explanation from the
            provider's cache, at the model's price for that.
        service: A maker whose service counts too, such as ``anthropic``: it is sent the texts, with
            the key in the maker's own environment variable. ``.counts`` has its counts.
        service_model: The model there; the default is ``model``.

    Raises:
        ValueError: There is no such model or service, or the value has no JSON form.
        ImportError: The extra ``tokens`` is not installed, or for a service ``service``.
        RuntimeError: The tokenizer cannot be loaded, or the service did not count; the message says
            why.
    """
    from toon.codec.default import default
    from toon.codec.normalise import normalise
    from toon.costs.document import Document
    from toon.notebook.answer import Answer

    answer = Answer(Document(normalise(value, default)), model, together, explained_cached)
    if service:
        answer.ask(service, service_model)
    return answer
