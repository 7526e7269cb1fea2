"""`Client`: the crawls of a server, wherever it runs, as `Crawl` shows those of this machine. Needs no extra.

The same names give the same dataclasses, and what goes wrong is the same error in the same words.
"""

from honeyguide.client.crawl import RemoteCrawl
from honeyguide.client.pages import RemotePage
from honeyguide.client.server import Client

__all__ = ["Client", "RemoteCrawl", "RemotePage"]
