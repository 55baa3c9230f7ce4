"""Who may use the server, and which logs it may follow, as environment variables say."""

import argparse
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Final

_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]{1,253}?)\.?(:[0-9]{1,5})?")
#: Ports that browsers leave out of ``Host`` and ``Origin``.
_PORTS: Final = {"http": ":80", "https": ":443"}
#: Characters that stand unescaped in addresses, cookies and headers.
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~-]{16,}")


def read_host(authority: str) -> str | None:
    """Return the host in ``name:port``, lower-case and without a last dot; None for other text."""
    match = _AUTHORITY.fullmatch(authority.lower())
    return match[1].strip("[]") if match else None


def read_authority(origin: str) -> str | None:
    """Return an origin's ``name:port``, 443 for ``https://name``; None for text of another form."""
    scheme, _, authority = origin.lower().partition("://")
    match = _AUTHORITY.fullmatch(authority)
    if scheme not in _PORTS or match is None:
        return None
    return authority if match[2] else authority + _PORTS[scheme]


def is_loopback(host: str | None) -> bool:
    """Return whether only this machine can reach ``host``, a name or an address."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return host == "localhost"
    inner: IPv4Address | None = getattr(address, "ipv4_mapped", None)
    return (inner or address).is_loopback


@dataclass(frozen=True, slots=True)
class Lock:
    """Who may use the server: its host names besides loopback, its token, and who may frame it.

    ``hosts`` are ``name`` or ``name:port``, as ``TOON_HOSTS`` lists them. ``token`` is None for a
    server that refuses other machines. ``is_open`` lets them in without a token, because a proxy
    checks users. ``frames`` are the origins whose pages may hold the app in a frame.
    """

    hosts: frozenset[str] = frozenset()
    token: str | None = None
    is_open: bool = False
    frames: tuple[str, ...] = ()

    @property
    def is_for_others(self) -> bool:
        """Whether other machines may send requests to the server, with a token or without."""
        return self.is_open or self.token is not None

    def knows(self, authority: str) -> bool:
        """Return whether the host in ``name:port`` is loopback or one of the server's names."""
        host = read_host(authority)
        return host is not None and (is_loopback(host) or host in map(read_host, self.hosts))

    def has_page(self, origin: str, host: str) -> bool:
        """Return whether ``origin`` is a page of the server asked as ``host``, a ``name:port``.

        A proxy may ask under another name. Other ports of loopback are other servers, so a page
        there needs its port in ``hosts``.
        """
        page = read_authority(origin)
        if page is None:
            return False
        own = read_authority(f"{origin.partition(':')[0]}://{host}")
        return page in (own, *self.hosts) or (not is_loopback(read_host(page)) and self.knows(page))

    def setting(self, *authorities: str) -> str:
        """Return the setting ``TOON_HOSTS=…`` that lets the server answer to ``authorities`` too.

        Each authority is a ``name:port``; text of another form is left out.
        """
        matches = filter(None, (_AUTHORITY.fullmatch(name.lower()) for name in authorities))
        added = {match[0] if is_loopback(read_host(match[0])) else match[1] for match in matches}
        return f"TOON_HOSTS={','.join(sorted(self.hosts | added))}"


def lock_for(address: str | None, environment: Mapping[str, str]) -> Lock:
    """Return who may use a server that listens at ``address``, by its environment variables.

    An address or host that is not loopback gets a random token if none is set.

    Raises:
        ValueError: A variable is malformed.
    """
    names = read_list(environment, "TOON_HOSTS", "hosts such as lab.example.org", read_host)
    frames = read_list(
        environment, "TOON_FRAMES", "origins such as https://hub.example.org", read_authority
    )
    token = environment.get("TOON_TOKEN", "")
    if token and token != "off" and not _TOKEN.fullmatch(token):
        raise ValueError("TOON_TOKEN must have 16 or more letters, digits and -._~, or be off")
    if not token and not all(map(is_loopback, (address, *map(read_host, names)))):
        token = secrets.token_urlsafe(24)
    hosts = frozenset(name.lower() for name in names)
    is_open = token == "off"
    return Lock(hosts, None if is_open else token or None, is_open, tuple(frames))


def read_list(
    environment: Mapping[str, str], name: str, kind: str, is_one: Callable[[str], object]
) -> list[str]:
    """Split the environment variable ``name`` at commas; return its distinct entries, stripped.

    Raises:
        ValueError: The test ``is_one`` rejects an entry; the message calls the entries ``kind``.
    """
    entries = environment.get(name, "").split(",")
    names = list(dict.fromkeys(entry.strip() for entry in entries if entry.strip()))
    for entry in names:
        if not is_one(entry):
            raise ValueError(f"{name} must list {kind}, not {entry!r}")
    return names


def allowed_files(lock: Lock, environment: Mapping[str, str]) -> tuple[Path, ...] | None:
    """Return the log files that the dashboard may follow as they grow, from ``TOON_FOLLOW``.

    None allows any file, on one's own machine; a server for others allows only listed ones.
    """
    files = read_list(environment, "TOON_FOLLOW", "files such as traffic.jsonl", bool)
    return tuple(map(Path, files)) if files or lock.is_for_others else None


def read_follow_option(arguments: Sequence[str]) -> str:
    """Return the files after ``--follow`` in a server's arguments, joined by commas; "" if none.

    Other arguments are ignored: they belong to the program that starts the server.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--follow", action="append", default=[], metavar="FILE")
    files: list[str] = parser.parse_known_args(list(arguments))[0].follow
    return ",".join(files)
