"""Options that have a maker's service count too, and the sending of texts to it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toon.cli.options import choices_of, leave_uncounted
from toon.cli.output import say, say_failure, show_progress

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.services.comparing import Counts, Text
    from toon.services.endpoint import Endpoint


def add_service(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options of a service; ``what`` is the help's word for the texts sent."""
    from toon.services import SERVICES

    parser.add_argument(
        "--service",
        choices=SERVICES,
        help=f"have the maker's service count too: {what} there, with the key in the maker's own "
        "environment variable",
    )
    about = "the model there; default: that of --model"
    parser.add_argument("--service-model", metavar="NAME", default="", help=about)
    about = "base address; default: the maker's, or as the maker's own variable sets it"
    parser.add_argument("--service-url", metavar="URL", default="", help=about)


def choices_with_service(options: argparse.Namespace) -> list[Choice]:
    """Return the models and tokenizers that the options name, by default the service's model."""
    from toon.costs.models import Choice
    from toon.costs.named import model_named

    if options.model or options.tokenizer or not options.service_model:
        return choices_of(options)
    model = model_named(options.service_model)
    return [Choice(model.tokenizer, model)] if model else choices_of(options)


def counted_here(options: argparse.Namespace, choices: list[Choice]) -> list[Choice]:
    """Return the models and tokenizers that count here; a service may count for the others."""
    if options.service:
        return [choice for choice in choices if choice.counted]
    return leave_uncounted(choices)


def counting_here(options: argparse.Namespace, choice: Choice) -> str | None:
    """Return the tokenizer to set beside the service's count; None if the user chose none."""
    is_chosen = options.model or options.tokenizer or choice.model
    return choice.tokenizer if is_chosen else None


def service_endpoint(options: argparse.Namespace, choices: Sequence[Choice]) -> Endpoint | None:
    """Return the endpoint of the maker's service that ``--service`` names; None without it.

    Raises:
        ServiceError: There is no key or no model, or the address cannot be right.
    """
    from toon.services.endpoint import endpoint_of

    if options.service is None:
        return None
    return endpoint_of(
        options.service, choices[0].model, options.service_model, options.service_url,
        tell=show_progress,
    )  # fmt: skip


def counts_of(endpoint: Endpoint, texts: Sequence[Text], tokenizer: str | None) -> Counts:
    """Send texts to a maker's service, after saying so, and return its token counts.

    Raises:
        ServiceError: A count did not come.
    """
    from toon.services.comparing import count_texts, sent_words

    key, maker = endpoint.service.key_in(os.environ), endpoint.service.maker

    def shown() -> Iterator[Text]:
        for number, text in enumerate(texts, 1):
            show_progress(f"{maker} counts {number:,} of {len(texts):,}")
            yield text

    say(f"{sent_words(texts)} to {endpoint.base}, with the key in {key}")
    return count_texts(endpoint, shown(), tokenizer)


def counts_of_sample(
    endpoint: Endpoint, options: argparse.Namespace, choice: Choice
) -> Counts | None:
    """Return the service's token counts of a sample of payloads; None after reporting a failure."""
    from toon.services.comparing import draw
    from toon.traffic import read_paths
    from toon.traffic.payload import Payload

    records = read_paths(options.paths, payload_path=options.payload, group_path=options.group)
    texts = (record.text for record in records if isinstance(record, Payload))
    counter = counting_here(options, choice)
    try:
        return counts_of(endpoint, draw(texts, options.service_sample, counter), counter)
    except KeyboardInterrupt:
        say("interrupted before the service had counted all; the run is complete")
    except RuntimeError as error:
        say_failure("", error)
    return None
