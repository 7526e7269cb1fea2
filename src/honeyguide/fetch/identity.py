"""Who we say we are, and that we do not crawl others without saying it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from honeyguide.errors import ContactMissing
from honeyguide.version import __version__

PRODUCT_TOKEN = "honeyguide"

_MAX_CONTACT_CHARS = 200
# All that may stand in the comment of a User-Agent header.
_NOT_IN_A_COMMENT = re.compile(r"[^!-~]|[()\\]")


def user_agent(contact: str) -> str:
    """The User-Agent header.

    >>> user_agent("https://example.org/bot").replace(__version__, "1.0")
    'Mozilla/5.0 (compatible; honeyguide/1.0; +https://example.org/bot)'
    """
    said = _NOT_IN_A_COMMENT.sub("", contact)[:_MAX_CONTACT_CHARS]
    return f"Mozilla/5.0 (compatible; {PRODUCT_TOKEN}/{__version__}{f'; +{said}' if said else ''})"


def check_contact(contact: str, hosts: Iterable[str]) -> None:
    """Raise SettingsError if hosts other than this machine would be asked by nobody in particular."""
    if _NOT_IN_A_COMMENT.sub("", contact):
        return
    others = [host for host in hosts if not _is_loopback(host)]
    if others:
        raise ContactMissing(
            f"politeness.contact is not set, and {others[0]} is not this machine. Give --contact: a web page or mail"
            " address that tells the people who run the hosts who you are and how to reach you."
        )


def _is_loopback(host: str) -> bool:
    name = re.sub(r":[0-9]+\Z", "", host).strip("[]")
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
