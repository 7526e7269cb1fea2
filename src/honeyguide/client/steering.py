"""The queue of a crawl elsewhere, looked at and steered. A part of `RemoteCrawl`."""

from __future__ import annotations

from honeyguide.client.asking import RemoteAsking
from honeyguide.client.shapes import as_kind
from honeyguide.patterns import Action, Rule
from honeyguide.steering import Preview, Queue


class RemoteSteering(RemoteAsking):
    """Looking at the queue, and changing its order."""

    def queue(self, match: str = "", most: int = 50, host: str = "") -> Queue:
        """The urls that wait, the next first: all, or those that match."""
        return as_kind(Queue, self._get("/queue", match=match, most=most, host=host))

    def preview_steer(self, pattern: str) -> Preview:
        """What a rule with this pattern would hit of the urls that wait now; nothing is changed."""
        return as_kind(Preview, self._get("/rules/preview", pattern=pattern))

    def steer(self, action: Action, pattern: str) -> int:
        """Raise, lower or exclude what a pattern hits, from now on; gives the number of the rule."""
        return int(self._post("/rules", {"action": action, "pattern": pattern}, wait=0)["number"])

    def unsteer(self, rule: int) -> int:
        """Take a rule back; gives the number of the command."""
        return int(self.client.json("DELETE", f"{self._path}/rules/{rule}", wait=0)["number"])

    def rules(self) -> list[Rule]:
        """The rules that steer the crawl, the oldest first."""
        return as_kind(list[Rule], self._get("/rules")["items"])
