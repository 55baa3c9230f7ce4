"""Whom the door of :mod:`toon.http.door` lets in, as the environment variables set it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from typing import Final

_AUTHORITY: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]{1,253}?)\.?(:[0-9]{1,5})?")
#: What browsers leave out of a ``Host`` and an ``Origin``.
_PORTS: Final = {"http": ":80", "https": ":443"}
#: Characters that stand unescaped in addresses, cookies and headers.
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~-]{16,}")


def host_of(authority: str) -> str | None:
    """The host in ``name:port``, in lower case, without its last dot; None if there is none."""
    found = _AUTHORITY.fullmatch(authority.lower())
    return found[1].strip("[]") if found else None


def port_of(authority: str) -> str:
    """The port in ``name:port`` with its colon; empty if there is none."""
    found = _AUTHORITY.fullmatch(authority.lower())
    return (found and found[2]) or ""


def authority_of(origin: str) -> str | None:
    """``name:port`` of a page, always with its port; None if ``origin`` is no page's."""
    scheme, _, authority = origin.lower().partition("://")
    if scheme not in _PORTS or host_of(authority) is None:
        return None
    return authority if port_of(authority) else authority + _PORTS[scheme]


def is_loopback(host: str) -> bool:
    """True if ``host`` is a name or an address that only this machine reaches."""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    inner: IPv4Address | None = getattr(address, "ipv4_mapped", None)
    return (inner or address).is_loopback


@dataclass(frozen=True, slots=True)
class Lock:
    """Which hosts there are besides loopback, and what the door asks for.

    ``token`` is None where nobody beyond this machine is expected, and what comes from there is
    refused. ``is_open`` lets it in, because someone else checks who asks. ``pages`` are those that
    a proxy on this machine has at a port of its own, as ``name:port``; ``frames`` are the origins
    whose pages may hold ours in a frame.
    """

    hosts: frozenset[str] = frozenset()
    token: str | None = None
    is_open: bool = False
    pages: frozenset[str] = frozenset()
    frames: tuple[str, ...] = ()

    @property
    def is_for_others(self) -> bool:
        """True if more than this machine is expected at the door."""
        return self.is_open or self.token is not None

    def knows(self, authority: str) -> bool:
        """True if the host in ``name:port`` is one of the server's."""
        host = host_of(authority)
        return host is not None and (is_loopback(host) or host in self.hosts)

    def has_page(self, origin: str, asked: str) -> bool:
        """True if ``origin`` is a page of the server that is ``asked`` as ``name:port``.

        A proxy may ask under another name, but loopback has other servers at other ports.
        """
        page, host = authority_of(origin), host_of(origin.partition("://")[2])
        if page is None or host is None:
            return False
        is_same = page == authority_of(f"{origin.partition(':')[0]}://{asked}")
        return is_same or page in self.pages or (host in self.hosts and not is_loopback(host))

    def hosts_with(self, *authorities: str) -> str:
        """The value of ``TOON_HOSTS`` that lets the hosts in each ``name:port`` in as well."""
        asked = {name.lower(): host for name in authorities if (host := host_of(name))}
        pages = {name for name, host in asked.items() if is_loopback(host)}
        names = {host for host in (*self.hosts, *asked.values()) if not is_loopback(host)}
        shown = (f"[{name}]" if ":" in name else name for name in names)
        return ",".join(sorted({*self.pages, *pages, *shown}))


def lock_for(address: str | None, environment: Mapping[str, str]) -> Lock:
    """The lock of a server that listens at ``address``, as the environment variables set it.

    Raises:
        ValueError: One of them cannot be.
    """
    names = listed(environment, "TOON_HOSTS", "hosts such as lab.example.org", host_of)
    hosts = frozenset(host for name in names if (host := host_of(name)))
    pages = frozenset(
        name.lower() for name in names if port_of(name) and is_loopback(host_of(name) or "")
    )
    frames = listed(
        environment, "TOON_FRAMES", "origins such as https://hub.example.org", authority_of
    )
    token = environment.get("TOON_TOKEN", "")
    if token and token != "off" and not _TOKEN.fullmatch(token):
        raise ValueError("TOON_TOKEN must have 16 or more letters, digits and -._~, or be off")
    if not token and not all(map(is_loopback, (address or "", *hosts))):
        token = new_token()
    is_open = token == "off"
    return Lock(hosts, None if is_open else token or None, is_open, pages, tuple(frames))


def new_token() -> str:
    """A token that nobody has had before."""
    return secrets.token_urlsafe(24)


def listed(
    environment: Mapping[str, str], name: str, what: str, is_one: Callable[[str], object]
) -> list[str]:
    """The different entries of an environment variable, which has commas between them.

    Raises:
        ValueError: One of them is not ``what`` it must list.
    """
    entries = environment.get(name, "").split(",")
    found = list(dict.fromkeys(entry.strip() for entry in entries if entry.strip()))
    for entry in found:
        if not is_one(entry):
            raise ValueError(f"{name} must list {what}, not {entry!r}")
    return found
