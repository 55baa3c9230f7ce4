"""What must not be shown is hidden wherever a name comes from, and ordinary words stay.

The keys look real and are none: each is drawn here, from its parts, so that no scanner of secrets
finds one in this repository.
"""

import json
from base64 import b64encode
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.traffic.reading import entry, har, lines, read_all
from toon.traffic.urls import fold_segment, fold_url, hide
from toon.values.randomness import is_random

HEX: Final = "0123456789abcdef"
ALNUM: Final = ascii_letters + digits
URL: Final = ALNUM + "_-"
BASE32: Final = ascii_uppercase + "234567"
BASE58: Final = "".join(c for c in ALNUM if c not in "0OIl")
CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def drawn(alphabet: str, length: int, *, seed: int = 7) -> str:
    """``length`` random characters, with at least one digit where there are digits."""
    text = "".join(Random(f"{seed} {alphabet} {length}").choices(alphabet, k=length))
    return text if "1" not in alphabet else f"{text[:-1]}1"


#: Keys by their makers, and what is known of people.
SECRETS: Final = {
    "AWS key": "AK" + "IA" + drawn(ascii_uppercase, 16),
    "AWS example": "AK" + "IA" + "IOSFODNN7" + "EXAMPLE",
    "AWS session": "AS" + "IA" + drawn(BASE32, 16),
    "AWS secret": drawn(ALNUM, 40),
    "Google API, Firebase": "AI" + "za" + drawn(URL, 35),
    "Google token": "ya" + "29." + drawn(URL, 60),
    "Google client": "GOC" + "SPX-" + drawn(URL, 28),
    "Azure storage": drawn(ALNUM, 86) + "==",
    "Azure client": drawn(ALNUM, 3) + "8Q~" + drawn(URL, 34),
    "GitHub": "gh" + "p_" + drawn(ALNUM, 36),
    "GitHub fine": "github" + "_pat_" + drawn(ALNUM, 22) + "_" + drawn(ALNUM, 59),
    "GitLab": "gl" + "pat-" + drawn(URL, 20),
    "Slack bot": "xo" + "xb-" + drawn(digits, 12) + "-" + drawn(ALNUM, 24),
    "Slack app": "xa" + "pp-1-" + drawn(BASE32, 11) + "-" + drawn(HEX, 64),
    "Stripe": "sk" + "_live_" + drawn(ALNUM, 24),
    "Stripe hook": "wh" + "sec_" + drawn(ALNUM, 32),
    "OpenAI": "sk" + "-proj-" + drawn(URL, 24),
    "OpenAI in words": "sk" + "-proj-" + "not-a-key-but-like-one",
    "Anthropic": "sk" + "-ant-api03-" + drawn(URL, 93),
    "Hugging Face": "h" + "f_" + drawn(ascii_letters, 34),
    "SendGrid": "S" + "G." + drawn(URL, 22) + "." + drawn(URL, 43),
    "Twilio": "A" + "C" + drawn(HEX, 32),
    "npm": "np" + "m_" + drawn(ALNUM, 36),
    "PyPI": "py" + "pi-AgEIcHlwaS5vcmc" + drawn(URL, 60),
    "DigitalOcean": "do" + "p_v1_" + drawn(HEX, 64),
    "Shopify": "shp" + "at_" + drawn(HEX, 32),
    "Square": "sq0" + "atp-" + drawn(URL, 22),
    "Mailgun": "ke" + "y-" + drawn(HEX, 32),
    "Telegram": drawn(digits, 9) + ":" + drawn(URL, 35),
    "Discord": "M" + drawn(ALNUM, 23) + "." + drawn(URL, 6) + "." + drawn(URL, 27),
    "Heroku": "HR" + "KU-" + drawn(URL, 40),
    "Cloudflare": drawn(URL, 40),
    "Datadog": drawn(HEX, 32),
    "New Relic": "NR" + "AK-" + drawn(BASE32, 27),
    "Sentry": "sn" + "trys_" + drawn(ALNUM, 60),
    "Supabase": "sb" + "p_" + drawn(HEX, 40),
    "Vercel": drawn(ALNUM, 24),
    "JWT": "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxIn0." + drawn(URL, 43),
    "part of a JWT": "ey" + "JhbGciOiJIUzI1NiJ9",
    "UUID": "550e8400-e29b-41d4-a716-446655440000",
    "ULID": "01" + drawn(CROCKFORD, 24),
    "KSUID": "0" + drawn(ALNUM, 26),
    "nanoid": drawn(URL, 21),
    "base32": drawn(BASE32, 32),
    "base58": drawn(BASE58, 44),
    "base64url": drawn(URL, 43),
    "letters": drawn(ascii_lowercase, 32),
    "capitals": drawn(ascii_uppercase, 24),
    "mail": "john.doe+shop@mail.example.com",
    "phone": "+49-170-1234567",
    "card": "4242-4242-4242-4242",
    "address": "203.0.113.9",
}  # fmt: skip

WORDS: Final = [
    "internationalization", "getUserById", "v1beta3", "application-settings", "users", "v1", "v2.1",
    "oauth2", "s3", "wp-content", "order-items", "user_profile", "zh-Hans", "en-US", "pt-BR",
    "getUserAccountInformation", "MyHTTPServerXMLParser", "listS3Buckets", "Benutzerverwaltung",
    "rechnungsempfaenger", "utilisateurs", "configuracion", "przestrzen", "users.list",
    "index.html", "chat.postMessage", "conversations.history", "jquery.min.js", "robots.txt",
    "favicon.ico", "kubernetes-cluster-autoscaler", "create_pull_request", "mcp__github__search",
    "OData", "graphql", "content-management-v2", "text-embedding", "supercalifragilistic",
    "throughput", "lengths", "task-management-service", "risk-assessment", "hf_inference",
    "GET_XML_HTTP_RPC", "ipv4addr", "wkhtmltopdf", "webhookSvcV2", "pgbouncer_pgxpool", "docx2pdf",
]  # fmt: skip

#: Names of tools, models and routes, as logs have them.
GROUPS: Final = [
    *WORDS, "gpt-4o-2024-08-06", "claude-sonnet-4-20250514", "meta-llama/Llama-3.1-8B-Instruct",
    "2026-03-02", "2026-03-02T10:00:00Z", "Order #42", "HTTP/1.1 200", "customer 4711",
    "Basic plan", "com.acme.orders.OrderService/GetOrder", "SELECT * FROM users",
    "1760000000", "search_orders_v2", "x86_64-unknown-linux-gnu", "日本語の検索",
    "a token of thanks", "bearer of news",
]  # fmt: skip


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_hidden_wherever_it_stands(kind: str) -> None:
    secret = SECRETS[kind]

    assert fold_segment(secret) in ("{id}", "{id}:{id}")
    assert hide(secret) == "{id}"
    assert hide(f'Bearer {secret}, then "{secret}"') == 'Bearer {id}, then "{id}"'
    for url in (
        f"https://api.example.com/v1/{secret}/x?k={secret}#{secret}",
        f"https://{secret}:{secret}@api.example.com/v1/{secret}/x",
    ):
        assert fold_url(url).replace("{id}:", "") == "api.example.com/v1/{id}/x"


@pytest.mark.rest
def test_no_secret_of_a_log_or_har_is_kept() -> None:
    hosts = [f"https://{secret.replace('@', '.')}.example.com/x" for secret in SECRETS.values()]
    entries = [
        entry(url, text="[1]")
        for secret in SECRETS.values()
        for url in (f"https://example.com/{secret}", f"{secret}:x", *hosts)
    ]
    records = [
        {key: value, "payload": {"a": 1}}
        for secret in SECRETS.values()
        for key in ("tool", "endpoint")
        for value in (secret, f"Bearer {secret}", f"GET /x/{secret}", f"look up {secret}")
    ]
    kept = repr([*read_all(json.dumps(har(*entries))), *read_all(lines(*records))]).lower()

    assert "bearer {id}" in kept
    assert [kind for kind, secret in SECRETS.items() if secret.lower() in kept] == []


@pytest.mark.parametrize(
    "word",
    [*WORDS, "swagger.json", "@me", "$batch", "a.b", "models:predict", "Order-Items", "x", ""],
)
def test_ordinary_words_stay_in_a_path(word: str) -> None:
    assert fold_segment(word) == word


@pytest.mark.parametrize("name", GROUPS)
def test_ordinary_names_stay_in_a_group(name: str) -> None:
    assert hide(name) == name


@pytest.mark.parametrize(
    "text", ["callé_abcdefgh12345", "呼び出し番号一二三四五", "toolu_приказномер"]
)
def test_what_is_not_ascii_is_not_judged(text: str) -> None:
    assert not is_random(text)


ALPHABETS = st.sampled_from([ALNUM, URL, BASE32, BASE58, CROCKFORD, HEX, ascii_lowercase])


@given(ALPHABETS, st.integers(40, 80), st.integers(0))
def test_what_is_drawn_at_random_is_hidden(alphabet: str, length: int, seed: int) -> None:
    secret = drawn(alphabet, length, seed=seed)

    assert fold_segment(secret) == "{id}"
    assert secret[:12] not in hide(f"find {secret} (cached)")


@given(st.text())
def test_hiding_twice_hides_no_more(text: str) -> None:
    once = hide(text)

    assert hide(once) == once


PAIR: Final = b64encode(b"aladdin:opensesame").decode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("client_secret=abcdef", "client_secret={id}"), ("my_password=hunter", "my_password={id}"),
        ("ACME_TOKEN: hunter", "ACME_TOKEN: {id}"), ("accessToken='abc'", "accessToken='{id}'"),
        ("api key: abc", "api key: {id}"), ('{"api_key": "abc"}', '{"api_key": "{id}"}'),
        ("AccountKey=abc==;x", "AccountKey={id};x"), ("JSESSIONID=1234", "JSESSIONID={id}"),
        ("postgres://user:p@w@host", "postgres://{id}@host"),
        ("redis://:pw@host:6379/0", "redis://{id}@host:6379/0"),
        ("max_tokens=100", "max_tokens=100"), ("token_count: 12", "token_count: 12"),
        ("http://host/@john", "http://host/@john"),
        (f"Authorization: Basic {PAIR}", "Authorization: Basic {id}"),
        ("login password=hunter2 api_key: abc", "login password={id} api_key: {id}"),
        ("-----BEGIN PRIVATE KEY----- MIIB -----END PRIVATE KEY----- rest", "{id} rest"),
        ("call +49 170 1234567 or 555-123-4567", "call {id} or {id}"),
        ("card 4242 4242 4242 4242, order 4242 4242 4242 4243",
         "card {id}, order 4242 4242 4242 4243"),
    ],
)  # fmt: skip
def test_what_a_name_or_its_shape_says_is_secret_is_hidden(text: str, shown: str) -> None:
    assert hide(text) == shown
    assert hide(shown) == shown


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("acme-corp.example.com", "{id}.example.com"), ("api.acme.io", "api.acme.io"),
        ("john.api.acme.io", "{id}.api.acme.io"), ("acme.co.uk", "acme.co.uk"),
        ("shop7.acme.co.uk", "{id}.acme.co.uk"), ("john.github.io", "{id}.github.io"),
        ("s3.eu-west-1.amazonaws.com", "s3.eu-west-1.amazonaws.com"), ("localhost", "localhost"),
        ("graph.microsoft.com", "graph.microsoft.com"), ("johns-laptop.local", "{id}.local"),
        ("api-staging.acme.io", "api-staging.acme.io"), ("10.2.3.4:8080", "{id}:8080"),
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("[2001:db8::7]", "{id}"), ("[::1]", "[::1]"),
        ("8f2a1c3d9e0b.svc.local", "{id}.{id}.local"), ("intranet", "intranet"),
    ],
)  # fmt: skip
def test_of_a_host_the_registered_domain_and_names_of_services_stay(host: str, shown: str) -> None:
    assert fold_url(f"https://{host}/x") == f"{shown}/x"
