"""`honeyguide topic suggest`: what would make a topic better, from examples and from a crawl."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import AsJson, Assignments
from honeyguide.cli.topic.given import Web, read_given
from honeyguide.cli.topic.options import Contact, CrawlFolder, Recording, TopicFile
from honeyguide.errors import SettingsError, TopicError

if TYPE_CHECKING:
    from honeyguide.cli.topic.crawled import CrawledPages
    from honeyguide.model import Ids
    from honeyguide.topics.base import TopicModel
    from honeyguide.topics.examples import Example
    from honeyguide.topics.taxonomy import Taxonomy, TaxonomyTopic

EXAMPLES = """Examples:
  honeyguide topic suggest bees.topic --for hives.html --for pages/
  honeyguide topic suggest bees.topic --crawl crawls/bees
  honeyguide topic suggest bees.topic --crawl crawls/bees --pages 5000"""

BATCH = 50
MOST_EXAMPLES = 1_000
MOST_SHOWN = 10
MOST_WORDS = 25


def suggest(
    file: TopicFile,
    examples: Annotated[
        list[str] | None,
        typer.Option("--for", metavar="PATH", help="Where do these belong: file, folder or url. Repeatable."),
    ] = None,
    crawl: CrawlFolder = None,
    pages: Annotated[int, typer.Option(metavar="N", min=10, help="Read so many pages of the crawl.")] = 1000,
    recording: Recording = None,
    contact: Contact = None,
    assignments: Assignments = None,
    as_json: AsJson = False,
) -> None:
    """Suggest what would make a topic better.

    Of a taxonomy: with --for, the classes that examples fit; with --crawl, further examples among the pages near the
    present ones, and other topics that pages on the good ones are tied to by links. Of any other topic, with --crawl:
    words that relevant pages share, and pages it is least sure of.
    """
    from honeyguide.topics.taxonomy import TaxonomyTopic
    from honeyguide.topics.topic_file import read_topic

    topic = read_topic(file)
    if not examples and not crawl:
        raise SettingsError("nothing to go by; give --for PATH or --crawl FOLDER")
    if examples and not isinstance(topic, TaxonomyTopic):
        raise TopicError(
            f"{file} is a {topic.name} topic and has no classes; --for needs one made by "
            f"`honeyguide topic new --name` or `honeyguide topic import`"
        )
    told: dict[str, Any] = {}
    if examples and isinstance(topic, TaxonomyTopic):
        given = read_given(examples, Web(recording, contact, assignments))
        told["classes"] = _classes(topic.taxonomy, given)
        if not as_json:
            _print_classes(file, told["classes"], len(given))
    if crawl:
        told |= _suggested_by_crawl(file, topic, crawl, pages, is_printed=not as_json)
    if as_json:
        typer.echo(json.dumps(told, indent=2))


def _classes(taxonomy: Taxonomy, examples: list[Example]) -> list[dict[str, Any]]:
    from honeyguide.topics.taxonomy.advice import propose_classes

    if not examples:
        raise SettingsError("none of the examples could be read")
    return [asdict(one) for one in propose_classes(taxonomy, examples)]


def _print_classes(file: Path, classes: list[dict[str, Any]], examples: int) -> None:
    numbers = ("examples", "probability")
    table = terminal.table("class", *numbers, right=numbers)
    for one in classes:
        table.add_row(
            terminal.clean(one["path"]), f"{one['examples']} of {examples}", f"{one['probability']:.3f}"
        )
    terminal.print_table(table)
    terminal.note(f"want one:  {terminal.command('topic', 'tree', file, '--good', 'CLASS')}")


def _suggested_by_crawl(
    file: Path, topic: TopicModel, folder: Path, most: int, *, is_printed: bool
) -> dict[str, Any]:
    from honeyguide.cli.topic.crawled import CrawledPages
    from honeyguide.crawls import Crawl
    from honeyguide.topics.taxonomy import TaxonomyTopic

    crawl = Crawl.open(folder)
    with crawl.reader() as reader:
        crawled = CrawledPages(reader, reader.state())
        if not len(crawled.best(1)):
            raise TopicError(f"{folder}: no page was fetched yet; crawl first")
        if not isinstance(topic, TaxonomyTopic):
            found = _words(topic, crawled, most)
            if is_printed:
                _print_words(file, topic, found)
            return found
        relevant = crawled.relevant(crawl.threshold, most // 2)
        if not len(relevant):
            raise TopicError(f"{folder}: none of its pages is relevant, so they suggest nothing")
        found = {"examples": _further_examples(topic.taxonomy, crawled, relevant)}
        found |= _broadening(topic, crawled, relevant, most)
        if is_printed:
            _print_further_examples(file, found["examples"], folder)
            _print_broadening(file, found)
        return found


def _further_examples(taxonomy: Taxonomy, crawled: CrawledPages, relevant: Ids) -> list[dict[str, Any]]:
    """Pages near the examples of each good topic; near the crawl's relevant pages, if none of them was crawled."""
    from honeyguide.topics.taxonomy.advice import suggest_examples

    found = []
    for path in map(taxonomy.tree.path, sorted(taxonomy.tree.good)):
        urls = [taxonomy.documents.urls[number] for number in taxonomy.examples_of(path)]
        given = crawled.known(urls[:MOST_EXAMPLES])
        near = crawled.around(given, MOST_EXAMPLES) if len(given) else relevant
        found += [
            {"score": one.score, "path": path, "title": one.example.title, "url": one.example.url}
            for one in suggest_examples(taxonomy, path, list(crawled.titled(near)), MOST_SHOWN)
        ]
    return found


def _print_further_examples(file: Path, examples: list[dict[str, Any]], folder: Path) -> None:
    terminal.say("Further examples, by their titles", "bold")
    if not examples:
        terminal.say("none: no title of a page nearby has the topic's words")
        return
    table = terminal.table("score", "topic", "title", "url", right=("score",), fold=("url",))
    for one in examples:
        table.add_row(f"{one['score']:.3f}", *(terminal.clean(one[key]) for key in ("path", "title", "url")))
    terminal.print_table(table)
    add = terminal.command("topic", "tree", file, "--add-example", "TOPIC=URL", "--recording", folder)
    terminal.note(f"add one:  {add}")


def _broadening(topic: TaxonomyTopic, crawled: CrawledPages, relevant: Ids, most: int) -> dict[str, Any]:
    """Topics that pages on the good ones link to or are linked from."""
    import numpy as np

    from honeyguide.topics.taxonomy.advice import broaden, citations

    chosen = np.concatenate([relevant, crawled.around(relevant, most - len(relevant))])
    tree = topic.taxonomy.tree
    topics = np.full(len(crawled.state), -1, dtype=np.int32)
    found = list(crawled.read(chosen).items())
    for start in range(0, len(found), BATCH):
        some = found[start : start + BATCH]
        classes = topic.classify([example.readable for _, example in some]).classes
        topics[[url_id for url_id, _ in some]] = [tree.find(path) for path in classes]
    matrix = citations(topics, *crawled.links, len(tree))
    return {"ties": [asdict(one) for one in broaden(topic.taxonomy, matrix)], "pages": len(found)}


def _print_broadening(file: Path, found: dict[str, Any]) -> None:
    terminal.say("")
    terminal.say(f"Topics tied to the good ones, by {wording.count(found['pages'], 'page')}", "bold")
    if not found["ties"]:
        terminal.say("none: pages on the good topics link among themselves")
        return
    shares = ("cited by good pages", "citing good pages")
    table = terminal.table("topic", "where", *shares, right=shares)
    for one in found["ties"]:
        numbers = (terminal.percent(one["cited"]), terminal.percent(one["citing"]))
        table.add_row(terminal.clean(one["path"]), one["relation"], *numbers)
    terminal.print_table(table)
    terminal.note(f"want one too:  {terminal.command('topic', 'tree', file, '--good', 'TOPIC')}")


def _words(topic: TopicModel, crawled: CrawledPages, most: int) -> dict[str, Any]:
    """Words that relevant pages share, and the pages nearest to the threshold."""
    from honeyguide.cli.topic.test import relevance_of
    from honeyguide.topics.expansion import expanded
    from honeyguide.topics.keywords import KeywordTopic
    from honeyguide.topics.text import stem_phrase

    pages = list(crawled.read(crawled.best(most)).values())
    relevance = relevance_of(topic, pages)
    relevant = [page for page, number in zip(pages, relevance, strict=True) if number >= topic.relevant_above]
    words = expanded("", relevant, words=MOST_WORDS).split() if relevant else []
    if isinstance(topic, KeywordTopic):
        own = set(stem_phrase(topic.text, topic.language))
        words = [word for word in words if own.isdisjoint(stem_phrase(word, topic.language))]
    nearest = abs(relevance - topic.relevant_above).argsort(kind="stable")[:MOST_SHOWN].tolist()
    return {
        "relevant": len(relevant),
        "words": words,
        "unsure": [
            {"relevance": float(relevance[place]), "title": pages[place].title, "url": pages[place].url}
            for place in nearest
        ],
    }


def _print_words(file: Path, topic: TopicModel, found: dict[str, Any]) -> None:
    from honeyguide.topics.keywords import KeywordTopic

    terminal.say(f"Words that {wording.count(found['relevant'], 'relevant page')} share", "bold")
    terminal.say(" ".join(found["words"]) or "none that the topic does not have")
    if found["words"] and isinstance(topic, KeywordTopic):
        again = terminal.command("topic", "new", file, "--force", "--words", "OLD AND NEW WORDS")
        terminal.note(f"take some of them in:  {again}")
    terminal.say("")
    terminal.say(f"Pages it is least sure of; relevant from {topic.relevant_above:g} on", "bold")
    table = terminal.table("relevance", "title", "url", right=("relevance",), fold=("url",))
    for page in found["unsure"]:
        cells = (terminal.clean(page["title"]), terminal.clean(page["url"]))
        table.add_row(f"{page['relevance']:.3f}", *cells)
    terminal.print_table(table)
