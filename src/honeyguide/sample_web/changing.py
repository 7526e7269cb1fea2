"""The sample web in time: pages that change on a schedule, or vanish, and counters that change all the while."""

from __future__ import annotations

from dataclasses import replace

from honeyguide.model import NOT_MODIFIED, Response
from honeyguide.sample_web.dice import Dice
from honeyguide.sample_web.web import SampleWeb
from honeyguide.sample_web.words import TOPICS
from honeyguide.urls import fingerprint

BEGINNING = 1_700_000_000.0
"""When the clocks of recorded webs begin."""

DAY_SECONDS = 86_400
_RANGE = 4.0  # the liveliest page changes so many times as often as the middle one, the stillest so much less
_VANISHES = 0.1  # of all pages, each after some of the middle page's changes
_CHANGES_TO_VANISH = 6.0
_WITH_ETAG = 0.5  # of all pages
_NEWS = 12


class ChangingWeb:
    """Pages of a sample web as they stand at a moment; any moment can be asked for, in any order."""

    def __init__(self, web: SampleWeb, change_days: float) -> None:
        self._web, self._change_days = web, change_days
        self._pace, self._phase = Dice(web.seed, "pace"), Dice(web.seed, "phase")
        self._end, self._tag, self._word = (Dice(web.seed, purpose) for purpose in ("vanish", "etag", "news"))
        self._words = sorted({word for _, own in TOPICS.values() for word in own})

    def version(self, url: str, now: float) -> int:
        """How often a page has changed."""
        number = fingerprint(url)
        days = self._change_days * _RANGE ** (2 * self._pace.share(number) - 1)
        return int(now / DAY_SECONDS / days + self._phase.share(number))

    def is_gone(self, url: str, now: float) -> bool:
        """Whether a page has vanished."""
        chance = self._end.share(fingerprint(url)) / _VANISHES
        return (
            chance < 1 and (now - BEGINNING) / DAY_SECONDS > chance * _CHANGES_TO_VANISH * self._change_days
        )

    def fetch(self, url: str, now: float, etag: str = "") -> Response:
        """What stands there now; pages that have a tag are not sent again to who has it."""
        found = self._web.fetch(url)
        if found.status != 200 or self._web.number(url) is None:
            return found
        if self.is_gone(url, now):
            return Response(url, 404, b"<p>Not found.</p>", {"content-type": "text/html"})
        version = self.version(url, now)
        tag = f'"{version}"'
        headers = dict(found.headers)
        if self._tag.share(fingerprint(url)) < _WITH_ETAG:
            headers["etag"] = tag
            if etag == tag:
                return Response(url, NOT_MODIFIED, b"", headers)
        number = fingerprint(url) + version
        news = " ".join(self._words[self._word(number + at) % len(self._words)] for at in range(_NEWS))
        more = f"<p>News: {news}.</p><p>Read {int(now) // 60} times.</p>"
        body = found.body.replace(b"</body>", more.encode() + b"</body>", 1)
        return replace(found, body=body, headers=headers)
