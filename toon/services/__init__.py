"""The endpoints by which makers of models count tokens: a table of requests and replies.

Written after documentation, and never tried against a service. The sources of the table's lines,
read in November 2026:

- Anthropic: platform.claude.com/docs/en/build-with-claude/token-counting, which calls the count an
  estimate; ``x-api-key``, ``anthropic-version`` and ``ANTHROPIC_BASE_URL`` as in anthropic 2.14.
- OpenAI: developers.openai.com/api/docs/guides/token-counting; the path and ``OPENAI_BASE_URL``,
  which ends in ``/v1``, as in openai 3.57.
- Google: ai.google.dev/api/tokens; ``x-goog-api-key``, ``GOOGLE_GEMINI_BASE_URL`` and the order of
  the two keys as in google-genai 3.6.
- xAI: the OpenAPI document of its REST API (``TokenizeRequest``, ``TokenizeResponse``);
  ``XAI_API_KEY`` as in xai-sdk 1.21. No library of xAI names a variable for the base address: other
  programs use ``XAI_BASE_URL``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from toon.costs.models import Model


@dataclass(frozen=True)
class Service:
    """How a maker of models counts a text's tokens over HTTP: address, key, request and reply.

    Attributes:
        name: The key in ``SERVICES``.
        maker: The company, for people.
        seller: The maker's key in the prices, which begins ``Model.price``.
        base: The default base address.
        base_variable: The environment variable that sets another address.
        keys: The environment variables of the key; the first one that is set counts.
        headers: Makes a request's headers of the key.
        path: Makes the path after the base address of the model.
        body: Makes the request's JSON of the model and the text.
        read: Takes the count out of the reply's JSON.
        reply_bytes: The bytes that a reply may have for each byte of the request, besides a few.
    """

    name: str
    maker: str
    seller: str
    base: str
    base_variable: str
    keys: tuple[str, ...]
    headers: Callable[[str], dict[str, str]]
    path: Callable[[str], str]
    body: Callable[[str, str], dict[str, Any]]
    read: Callable[[Any], Any]
    reply_bytes: int = 0

    def find_key(self, environment: Mapping[str, str]) -> str:
        """Return the environment variable's name that has the service's API key; "" if none has."""
        return next((name for name in self.keys if environment.get(name, "").strip()), "")

    def find_base(self, environment: Mapping[str, str]) -> str:
        """Return the service's base address: from its environment variable, or the default one."""
        return environment.get(self.base_variable, "").strip() or self.base

    def model_name(self, model: Model | None) -> str:
        """Return the service's own name of a model; "" for None and for another maker's model."""
        seller, _, name = ((model and model.price) or "").partition("/")
        return name if seller == self.seller else ""


def _bearer_header(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


SERVICES: Final = {
    service.name: service
    for service in (
        Service(
            "anthropic", "Anthropic", "anthropic", "https://api.anthropic.com",
            "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",),
            lambda key: {"x-api-key": key, "anthropic-version": "2023-06-01"},
            lambda model: "/v1/messages/count_tokens",
            lambda model, text: {"model": model, "messages": [{"role": "user", "content": text}]},
            lambda answer: answer["input_tokens"],
        ),
        Service(
            "openai", "OpenAI", "openai", "https://api.openai.com/v1",
            "OPENAI_BASE_URL", ("OPENAI_API_KEY",),
            _bearer_header,
            lambda model: "/responses/input_tokens",
            lambda model, text: {"model": model, "input": text},
            lambda answer: answer["input_tokens"],
        ),
        Service(
            "google", "Google", "google", "https://generativelanguage.googleapis.com",
            "GOOGLE_GEMINI_BASE_URL", ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            lambda key: {"x-goog-api-key": key},
            lambda model: f"/v1beta/models/{quote(model, safe='')}:countTokens",
            lambda model, text: {"contents": [{"role": "user", "parts": [{"text": text}]}]},
            lambda answer: answer["totalTokens"],
        ),
        Service(
            "xai", "xAI", "x-ai", "https://api.x.ai/v1",
            "XAI_BASE_URL", ("XAI_API_KEY",),
            _bearer_header,
            lambda model: "/tokenize-text",
            lambda model, text: {"model": model, "text": text},
            lambda answer: len([token["token_id"] for token in answer["token_ids"]]),
            reply_bytes=120,
        ),
    )
}  # fmt: skip


def get(name: str) -> Service:
    """Return a maker's token counting service by its name, such as ``anthropic``.

    Raises:
        ValueError: There is no such service; the message lists all names.
    """
    if name not in SERVICES:
        raise ValueError(f"No service is named {name!r}. There are: {', '.join(SERVICES)}")
    return SERVICES[name]


def find_service(model: Model | None) -> Service | None:
    """Return the token counting service of a model's maker; None for no model or no service."""
    return next((service for service in SERVICES.values() if service.model_name(model)), None)


def is_base(address: str) -> bool:
    """Return whether an address is a URL of http or https, without user, password or query."""
    try:
        parts = urlsplit(address)
        is_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    rest = "@" in parts.netloc or parts.query or parts.fragment
    return is_host and parts.scheme in ("http", "https") and not rest and address.isprintable()
