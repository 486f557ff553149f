"""Messages to an address that a user has typed: sent to the internet only, never to a machine of the house.

The name is looked up once, every address it has must be a public one, and the connection goes to that very address: a
name that answers differently the second time leads nowhere. Redirects are looked at in the same way. Only https, only
its own port, no names or passwords in the address, a short answer in a short time.
"""

import http.client
import ipaddress
import json
import socket
import ssl
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.utils.translation import gettext as _

SECONDS = 5.0
MOST_BYTES = 65_536  # read of an answer
REDIRECTS = 2
KEEP_THE_POST = (307, 308)
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 behind a translator: the last four bytes count
OLD_TUNNELS = tuple(map(ipaddress.ip_network, ("2002::/16", "2001::/32", "64:ff9b:1::/48")))
DISCORD = ("discord.com", "discordapp.com")


class NotSent(Exception):
    """The message did not arrive; the text says why, for the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a message goes: the looked-up address, and the name that it is asked under."""

    host: str
    ip: str
    path: str
    port: int = 443
    tls: bool = True


def fault_of(address: str) -> str | None:
    """What is wrong with an address, by its looks; None if it may be tried."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return _("This is no address.")
    if parts.scheme != "https" or not parts.hostname:
        return _("A webhook is an https address.")
    if parts.username is not None or parts.password is not None:
        return _("Leave names and passwords out of the address.")
    if port not in (None, 443):
        return _("Only the usual port of https is called.")
    try:
        literal = ipaddress.ip_address(parts.hostname)
    except ValueError:
        return None
    return None if is_public(literal) else _("This address is inside a network of its own.")


def is_public(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is one of the internet at large, also if it is an IPv4 address in the clothes of IPv6."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(ip.ipv4_mapped)
        if ip in TRANSLATED:
            return is_public(ipaddress.IPv4Address(ip.packed[-4:]))
        if any(ip in network for network in OLD_TUNNELS) or ip.is_site_local:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def addresses(host: str) -> list[str]:
    """What a name stands for."""
    try:
        found = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        raise NotSent(f"{host}: {fault}") from fault
    return [str(line[4][0]) for line in found]


def target_of(address: str) -> Target:
    """The checked target of an address; NotSent if one of its addresses is not public."""
    if fault := fault_of(address):
        raise NotSent(fault)
    parts = urlsplit(address)
    host = parts.hostname or ""
    found = addresses(host)
    if not found or not all(is_public(ipaddress.ip_address(ip.partition("%")[0])) for ip in found):
        raise NotSent(f"{host} is not on the internet")
    path = parts.path or "/"
    return Target(host=host, ip=found[0], path=f"{path}?{parts.query}" if parts.query else path)


class _Pinned(http.client.HTTPConnection):
    """A connection to the address that was checked, whatever the name says by now."""

    def __init__(self, target: Target) -> None:
        super().__init__(target.host, target.port, timeout=SECONDS)
        self.target = target

    def connect(self) -> None:
        self.sock = socket.create_connection((self.target.ip, self.target.port), SECONDS)
        if self.target.tls:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.target.host)


def send(address: str, text: str) -> None:
    """Post a line of text to a webhook; NotSent if it was not taken."""
    for _hop in range(REDIRECTS + 1):
        status, leads_to = post(target_of(address), payload(address, text))
        if 200 <= status < 300:
            return
        if status not in KEEP_THE_POST or not leads_to:
            raise NotSent(f"{urlsplit(address).hostname} answers {status}")
        address = urljoin(address, leads_to)
    raise NotSent("led on and on")


def payload(address: str, text: str) -> dict[str, Any]:
    """The text as that service wants it, calling nobody: names of races are written by users."""
    host = (urlsplit(address).hostname or "").lower()
    if host in DISCORD or host.endswith(tuple(f".{name}" for name in DISCORD)):
        return {"content": text, "allowed_mentions": {"parse": []}}
    return {"text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}


def post(target: Target, body: dict[str, Any]) -> tuple[int, str | None]:
    """Send it there; the status of the answer and where it leads. NotSent if there is none."""
    connection = _Pinned(target)
    try:
        headers = {"Content-Type": "application/json", "User-Agent": "maglia", "Connection": "close"}
        connection.request("POST", target.path, json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read(MOST_BYTES)
        return answer.status, answer.headers.get("Location")
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise NotSent(f"{target.host}: {fault}") from fault
    finally:
        connection.close()
