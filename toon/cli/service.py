"""Options that have a maker's service count too, and the sending of texts to it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from toon.cli.options import leave_uncounted, read_choices
from toon.cli.output import say, say_failure, show_progress

if TYPE_CHECKING:
    from toon.costs.models import Choice
    from toon.services.comparing import Counts, Text
    from toon.services.endpoint import Endpoint


def add_service(parser: argparse.ArgumentParser, texts: str) -> None:
    """Add the options of a model maker's counting service to a parser; ``texts`` says in their help
    which texts it is sent.
    """
    from toon.services import SERVICES

    parser.add_argument(
        "--service",
        choices=SERVICES,
        help=f"have the maker's service count too: {texts} there, with the key in the maker's own "
        "environment variable",
    )
    text = "the model there; default: that of --model"
    parser.add_argument("--service-model", metavar="NAME", default="", help=text)
    text = "base address; default: the maker's, or as the maker's own variable sets it"
    parser.add_argument("--service-url", metavar="URL", default="", help=text)


def read_service_choices(options: argparse.Namespace) -> list[Choice]:
    """Return the models and tokenizers that a command's options name, else the model of
    ``--service-model``, else the default tokenizer.
    """
    from toon.costs.models import Choice
    from toon.costs.named import find_model

    if options.model or options.tokenizer or not options.service_model:
        return read_choices(options)
    model = find_model(options.service_model)
    return [Choice(model.tokenizer, model)] if model else read_choices(options)


class Counters(NamedTuple):
    """What counts tokens for a command: models and tokenizers that count here, the endpoint of
    ``--service`` (or None), and the tokenizer to set beside the service's count (or None).
    """

    choices: list[Choice]
    endpoint: Endpoint | None
    counter: str | None


def find_counters(options: argparse.Namespace, choices: list[Choice]) -> Counters:
    """Return what counts tokens by a command's options: tokenizers here, a model maker's service.

    The service may count for models that are not counted here.

    Raises:
        ServiceError: There is no key or no model, or the address cannot be right.
    """
    from toon.services.endpoint import make_endpoint

    first = choices[0]
    counter = first.tokenizer if options.model or options.tokenizer or first.model else None
    if options.service is None:
        return Counters(leave_uncounted(choices), None, counter)
    endpoint = make_endpoint(
        options.service, first.model, options.service_model, options.service_url,
        tell=show_progress,
    )  # fmt: skip
    return Counters([choice for choice in choices if choice.counted], endpoint, counter)


def ask_counts(endpoint: Endpoint, texts: Sequence[Text], tokenizer: str | None) -> Counts:
    """Send texts to a model maker's service, after saying so; return its counts of their tokens,
    beside those by ``tokenizer`` here unless None.

    Raises:
        ServiceError: A count did not come.
    """
    from toon.services.comparing import count_texts, sent_words

    key, maker = endpoint.service.find_key(os.environ), endpoint.service.maker

    def show_texts() -> Iterator[Text]:
        for number, text in enumerate(texts, 1):
            show_progress(f"{maker} counts {number:,} of {len(texts):,}")
            yield text

    say(f"{sent_words(texts)} to {endpoint.base}, with the key in {key}")
    return count_texts(endpoint, show_texts(), tokenizer)


def ask_sample(
    endpoint: Endpoint, options: argparse.Namespace, counter: str | None
) -> Counts | None:
    """Have a model maker's service count the tokens of a random sample of payloads; return its
    counts, beside those by the tokenizer ``counter``, or None after reporting a failure.
    """
    from toon.services.comparing import sample
    from toon.traffic import read_paths
    from toon.traffic.payload import Payload

    records = read_paths(options.paths, payload_path=options.payload, group_path=options.group)
    texts = (record.text for record in records if isinstance(record, Payload))
    try:
        return ask_counts(endpoint, sample(texts, options.service_sample, counter), counter)
    except KeyboardInterrupt:
        say("interrupted before the service had counted all; the run is complete")
    except RuntimeError as error:
        say_failure("", error)
    return None
