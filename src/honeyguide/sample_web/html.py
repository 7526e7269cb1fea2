"""The pages of the sample web as HTML: menus, prose with links in it, lists and footers."""

from collections.abc import Sequence
from typing import NamedTuple

from honeyguide.sample_web.dice import Dice
from honeyguide.sample_web.hosts import Hosts
from honeyguide.sample_web.links import LinkPlan
from honeyguide.sample_web.text import Prose, sentences
from honeyguide.sample_web.traps import Traps
from honeyguide.sample_web.urls import Addresses
from honeyguide.sample_web.words import CALLS, SECTIONS

_PARAGRAPH = 5
_ALIAS_ONE_IN = 40


class Anchor(NamedTuple):
    """A link as written in a page."""

    href: str
    text: str
    target: int | None = None  # page number, when it leads to an ordinary page

    def html(self) -> str:
        """Return the link as HTML."""
        return f'<a href="{self.href}">{self.text}</a>'


class Document(NamedTuple):
    """A page made ready to send or to record."""

    title: str
    html: bytes
    anchors: list[Anchor]


class Writer:
    """Writes any page, given its number."""

    def __init__(
        self, hosts: Hosts, prose: Prose, addresses: Addresses, plan: LinkPlan, seed: int, mean_words: int
    ) -> None:
        self._hosts = hosts
        self._prose = prose
        self._addresses = addresses
        self._plan = plan
        self._traps = Traps(hosts, seed)
        self._mean_words = mean_words
        self._dice = Dice(seed, "pages")
        self._link_dice = Dice(seed, "anchors")

    def page(self, number: int, session: str = "", printable: bool = False) -> Document:
        """Return a page; within a session its links to its own host carry the session, too."""
        menu = self._menu(number, session)
        content = [self._anchor(number, target, session) for target in self._plan.content(number)]
        below = [self._anchor(number, target, session) for target in self._plan.below(number)]
        around = [self._anchor(number, target, session) for target in self._plan.around(number)]
        footer = self._footer(number, session)
        title = self._heading(number)
        body = (
            f"{_list('nav', menu)}<main><h1>{title}</h1>"
            f"{self._text(number, content)}{_list('section', below)}{_list('aside', around)}</main>"
            f"<footer><p>Copyright, all rights reserved. Terms of use and privacy policy.</p>"
            f"{_list('div', footer)}</footer>"
        )
        canonical = f'<link rel="canonical" href="{self._addresses.url(number)}">' if printable else ""
        site = self._hosts.names[self._hosts.locate(number)[0]].split("-")[0].capitalize()
        anchors = [*menu, *content, *below, *around, *footer]
        return Document(title, document(f"{title} | {site}", body, canonical), anchors)

    def trap(self, host: int, path: str) -> Document | None:
        """Return a page of a trap, or None where the host has none at this path."""
        links = self._traps.links(host, path)
        if links is None:
            return None
        anchors = [Anchor(href, text) for href, text in links]
        key = self._dice(sum(path.encode()) + (host << 20))
        words = self._prose.draw(key, 60, [(self._hosts.topic(host), 0.12)])
        text = " ".join(sentences(words))
        body = f"<main><h1>{path.strip('/')}</h1><p>{text}</p>{_list('nav', anchors)}</main>"
        return Document(path, document(path, body), anchors)

    def trap_entrances(self, number: int, session: str = "") -> list[Anchor]:
        """List the links from an ordinary page into its host's trap."""
        host, _ = self._hosts.locate(number)
        ways_in = self._traps.entrances(host, number, self._addresses.path(number), session)
        return [Anchor(href, text) for href, text in ways_in]

    def _heading(self, number: int) -> str:
        first, second = self._addresses.words(number)
        return f"{first.capitalize()} {second}"

    def _menu(self, number: int, session: str) -> list[Anchor]:
        targets = self._plan.menu(number)
        names = ["Home", *(self._section_name(target) for target in targets[1:])]
        hrefs = [self._local_href(target, session) for target in targets]
        return [Anchor(*link) for link in zip(hrefs, names, targets, strict=True)]

    def _section_name(self, number: int) -> str:
        draw = self._dice(number)
        return SECTIONS[(draw >> 8) % len(SECTIONS)] if draw % 2 else self._heading(number)

    def _footer(self, number: int, session: str) -> list[Anchor]:
        sponsors = [
            Anchor(self._addresses.url(target), "Partner site", target)
            for target in self._plan.sponsors(number)
        ]
        dead_ends = [Anchor(href, text) for href, text in self._traps.dead_ends(number)]
        return sponsors + self.trap_entrances(number, session) + dead_ends

    def _local_href(self, target: int, session: str) -> str:
        path = self._addresses.path(target)
        return f"{path}?sid={self._traps.next_session(session, target)}" if session else path

    def _anchor(self, number: int, target: int, session: str) -> Anchor:
        draw = self._link_dice((number << 24) ^ target)
        host, place = self._hosts.locate(target)
        is_local = host == self._hosts.locate(number)[0]
        if (draw >> 40) % _ALIAS_ONE_IN == 0 and place > 0:
            href = f"http://{self._hosts.names[host]}/old/{place}"
        elif is_local:
            href = self._local_href(target, session)
        else:
            href = f"http://{self._hosts.names[host]}{self._addresses.path(target)}"
        return Anchor(href, self._anchor_text(target, draw), target)

    def _anchor_text(self, target: int, draw: int) -> str:
        kind = draw % 20
        if kind < 6:
            return CALLS[(draw >> 8) % len(CALLS)]
        if kind < 9:
            return f"about {self._prose.word(self._hosts.page_topic(target), draw >> 8)}"
        return self._heading(target)

    def _text(self, number: int, content: Sequence[Anchor]) -> str:
        is_hub = self._plan.is_hub(number)
        share = self._dice.share(~number)
        count = max(int(self._mean_words * (0.3 + 1.4 * share) * (0.4 if is_hub else 1.0)), 20)
        written = sentences(self._prose.draw(number, count, self._parts(number, is_hub)))
        mentions = [self._mention(number, anchor) for anchor in content]
        if is_hub:
            items = "".join(f"<li>{mention}</li>" for mention in mentions)
            return f"{_paragraphs(written)}<ul>{items}</ul>"
        for index, mention in enumerate(mentions):
            written[index * len(written) // len(mentions)] += f" {mention}."
        return _paragraphs(written)

    def _parts(self, number: int, is_hub: bool) -> list[tuple[int, float]]:
        """How much of a page's text comes from which topic."""
        hosts, draw = self._hosts, self._dice(number)
        topic = hosts.page_topic(number)
        parts = []
        if topic != hosts.general:
            share = 0.05 + 0.30 * self._plan.keenness(number) ** 1.5
            near = hosts.neighbors(topic)[(draw >> 16) % 4]
            parts = [(topic, share * (0.5 if is_hub else 1.0)), (near, 0.06 * ((draw >> 18) & 0xFF) / 256)]
        if (draw >> 26) % 4 == 0:
            parts.append(((draw >> 28) % hosts.general, 0.04))
        return parts

    def _mention(self, number: int, anchor: Anchor) -> str:
        assert anchor.target is not None
        draw = self._link_dice(~((number << 24) ^ anchor.target))
        topic = self._hosts.page_topic(anchor.target) if draw % 10 < 6 else self._hosts.general
        before, after = self._prose.word(topic, draw >> 8), self._prose.word(topic, draw >> 24)
        return f"{before} {anchor.html()} {after}"


def document(title: str, body: str, head: str = "") -> bytes:
    """Return a whole HTML document."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>\n'
        f"<body>{body}</body></html>\n"
    ).encode()


def _list(tag: str, anchors: Sequence[Anchor]) -> str:
    items = "".join(f"<li>{anchor.html()}</li>" for anchor in anchors)
    return f"<{tag}><ul>{items}</ul></{tag}>" if anchors else ""


def _paragraphs(written: list[str]) -> str:
    cuts = range(0, len(written), _PARAGRAPH)
    return "\n".join(f"<p>{' '.join(written[cut : cut + _PARAGRAPH])}</p>" for cut in cuts)
