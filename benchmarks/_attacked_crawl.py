"""One crawl of `attacks`, in a process of its own: `python -m benchmarks._attacked_crawl ORDER.toml [FAULT ...]`.

Goes on with the crawl if there is one. Names of attacks are forged in DNS; the faults are what else is wrong:

clock-an-hour-late   the wall clock is an hour behind, from the beginning
clock-set-back       the wall clock goes back by an hour as soon as there is a file called `set-back` beside the order
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from benchmarks._attack_server import ATTACKER, INNER
from honeyguide.model import Floats
from honeyguide.topics.keywords import KeywordTopic

REBINDING = "rebinding.example"
WILDCARD = "wild.example.org"  # of a domain that one can register: its hosts are of one site
FORGED_NAMES = (REBINDING, WILDCARD)
"""Names that exist only in the DNS that stands in for the real one while an attack is crawled."""

CLOCK_LATE, CLOCK_SET_BACK = "clock-an-hour-late", "clock-set-back"
SET_BACK_NAME = "set-back"
HOUR = 3600.0

FOR_EVER, DEADLY, RAISES, NOT_A_NUMBER = "readforever", "killsitsreader", "raiseserror", "notanumber"
"""What a page may say to have that done by the topic model that judges it."""
BRITTLE = {"topic.model": "brittle"}


class BrittleTopic(KeywordTopic):
    """A plug-in as others might write it: some texts hang it, crash it, or make it give nonsense."""

    name: ClassVar[str] = "brittle"

    def judge(self, texts: Sequence[str]) -> Floats:
        """Judge by keywords, but for texts that ask for trouble."""
        relevance = super().judge(texts)
        for at, text in enumerate(texts):
            if FOR_EVER in text:
                # As a pattern in C does it: no other thread of this process ever runs again.
                re.fullmatch("(a|a)*b", "a" * 1000)
            if DEADLY in text:
                os.kill(os.getpid(), signal.SIGKILL)
            if RAISES in text:
                raise ValueError(f"cannot judge {text[:100]!r}")
            if NOT_A_NUMBER in text:
                relevance[at] = np.nan
        return relevance


def forge_dns() -> None:
    """Give the forged names addresses; one has an inner address too, and no other from the second answer on."""
    look_up = socket.getaddrinfo
    rebinding = itertools.chain([(INNER, ATTACKER)], itertools.repeat((INNER,)))

    def forged(host: Any, *options: Any, **more: Any) -> Any:
        if not str(host).endswith(FORGED_NAMES):
            return look_up(host, *options, **more)
        addresses = next(rebinding) if host == REBINDING else (ATTACKER,)
        return [found for address in addresses for found in look_up(address, *options, **more)]

    socket.getaddrinfo = forged


def set_clock_back(when: Callable[[], bool]) -> None:
    """Let the wall clock be an hour late from a moment on; the monotonic clock is no matter of settings."""
    wall_clock = time.time
    time.time = lambda: wall_clock() - (HOUR if when() else 0.0)


def crawl_one(order_file: Path, faults: Sequence[str]) -> None:
    forge_dns()
    if CLOCK_LATE in faults:
        set_clock_back(lambda: True)
    if CLOCK_SET_BACK in faults:
        set_clock_back((order_file.parent / SET_BACK_NAME).exists)
    # Only now, lest a module has kept the right clock.
    from honeyguide import assembly
    from honeyguide.cli.running import run
    from honeyguide.crawls import Crawl
    from honeyguide.settings import CrawlOrder
    from honeyguide.store.folder import holds_crawl

    assembly.TOPIC_MODELS = (*assembly.TOPIC_MODELS, BrittleTopic)
    order = CrawlOrder.read(order_file)
    is_begun = holds_crawl(order.folder)
    with (Crawl.open(order.folder) if is_begun else Crawl.start(order=order)).take() as crawl:
        print(run(crawl, quiet=True))


if __name__ == "__main__":
    # By its full name, so that the worker can find the topic model.
    from benchmarks import _attacked_crawl

    _attacked_crawl.crawl_one(Path(sys.argv[1]), sys.argv[2:])
