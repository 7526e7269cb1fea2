"""`honeyguide topic suggest`: what would make a topic better, from examples and from a crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import Assignments
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
    if examples:
        if not isinstance(topic, TaxonomyTopic):
            raise TopicError(
                f"{file} is a {topic.name} topic and has no classes; --for needs one made by "
                f"`honeyguide topic new --name` or `honeyguide topic import`"
            )
        _print_classes(file, topic.taxonomy, read_given(examples, Web(recording, contact, assignments)))
    if crawl:
        _suggest_from_crawl(file, topic, crawl, pages)


def _print_classes(file: Path, taxonomy: Taxonomy, examples: list[Example]) -> None:
    from honeyguide.topics.taxonomy.advice import propose_classes

    if not examples:
        raise SettingsError("none of the examples could be read")
    numbers = ("examples", "probability")
    table = terminal.table("class", *numbers, right=numbers)
    for one in propose_classes(taxonomy, examples):
        table.add_row(
            terminal.clean(one.path), f"{one.examples} of {len(examples)}", f"{one.probability:.3f}"
        )
    terminal.print_table(table)
    terminal.note(f"want one:  {terminal.command('topic', 'tree', file, '--good', 'CLASS')}")


def _suggest_from_crawl(file: Path, topic: TopicModel, folder: Path, most: int) -> None:
    from honeyguide.cli.topic.crawled import CrawledPages
    from honeyguide.crawls import Crawl
    from honeyguide.topics.taxonomy import TaxonomyTopic

    crawl = Crawl.open(folder)
    with crawl.reader() as reader:
        crawled = CrawledPages(reader, reader.state())
        if not len(crawled.best(1)):
            raise TopicError(f"{folder}: no page was fetched yet; crawl first")
        if isinstance(topic, TaxonomyTopic):
            relevant = crawled.relevant(crawl.threshold, most // 2)
            if not len(relevant):
                raise TopicError(f"{folder}: none of its pages is relevant, so they suggest nothing")
            _print_further_examples(file, topic.taxonomy, crawled, relevant)
            _print_broadening(file, topic, crawled, relevant, most)
        else:
            _print_words(file, topic, crawled, most)


def _print_further_examples(file: Path, taxonomy: Taxonomy, crawled: CrawledPages, relevant: Ids) -> None:
    """Pages near the examples of each good topic; near the crawl's relevant pages, if none of them was crawled."""
    from honeyguide.topics.taxonomy.advice import suggest_examples

    table = terminal.table("score", "topic", "title", "url", right=("score",), fold=("url",))
    for path in map(taxonomy.tree.path, sorted(taxonomy.tree.good)):
        urls = [taxonomy.documents.urls[number] for number in taxonomy.examples_of(path)]
        given = crawled.known(urls[:MOST_EXAMPLES])
        near = crawled.around(given, MOST_EXAMPLES) if len(given) else relevant
        for one in suggest_examples(taxonomy, path, list(crawled.titled(near)), MOST_SHOWN):
            texts = (path, one.example.title, one.example.url)
            table.add_row(f"{one.score:.3f}", *map(terminal.clean, texts))
    terminal.say("Further examples, by their titles", "bold")
    if not table.row_count:
        terminal.say("none: no title of a page nearby has the topic's words")
        return
    terminal.print_table(table)
    add = terminal.command(
        "topic", "tree", file, "--add-example", "TOPIC=URL", "--recording", crawled.reader.folder
    )
    terminal.note(f"add one:  {add}")


def _print_broadening(
    file: Path, topic: TaxonomyTopic, crawled: CrawledPages, relevant: Ids, most: int
) -> None:
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
    advice = broaden(topic.taxonomy, matrix)
    terminal.say("")
    terminal.say(f"Topics tied to the good ones, by {wording.count(len(found), 'page')}", "bold")
    if not advice:
        terminal.say("none: pages on the good topics link among themselves")
        return
    shares = ("cited by good pages", "citing good pages")
    table = terminal.table("topic", "where", *shares, right=shares)
    for one in advice:
        table.add_row(
            terminal.clean(one.path), one.relation, terminal.percent(one.cited), terminal.percent(one.citing)
        )
    terminal.print_table(table)
    terminal.note(f"want one too:  {terminal.command('topic', 'tree', file, '--good', 'TOPIC')}")


def _print_words(file: Path, topic: TopicModel, crawled: CrawledPages, most: int) -> None:
    """Words that relevant pages share, and the pages nearest to the threshold."""
    from honeyguide.cli.topic.test import relevance_of
    from honeyguide.topics.expansion import expanded
    from honeyguide.topics.keywords import KeywordTopic
    from honeyguide.topics.text import stem_phrase

    pages = list(crawled.read(crawled.best(most)).values())
    relevance = relevance_of(topic, pages)
    relevant = [page for page, number in zip(pages, relevance, strict=True) if number >= topic.relevant_above]
    terminal.say(f"Words that {wording.count(len(relevant), 'relevant page')} share", "bold")
    words = expanded("", relevant, words=MOST_WORDS).split() if relevant else []
    if isinstance(topic, KeywordTopic):
        own = set(stem_phrase(topic.text, topic.language))
        words = [word for word in words if own.isdisjoint(stem_phrase(word, topic.language))]
    terminal.say(" ".join(words) or "none that the topic does not have")
    if words and isinstance(topic, KeywordTopic):
        again = terminal.command("topic", "new", file, "--force", "--words", "OLD AND NEW WORDS")
        terminal.note(f"take some of them in:  {again}")
    terminal.say("")
    terminal.say(f"Pages it is least sure of; relevant from {topic.relevant_above:g} on", "bold")
    table = terminal.table("relevance", "title", "url", right=("relevance",), fold=("url",))
    for place in abs(relevance - topic.relevant_above).argsort(kind="stable")[:MOST_SHOWN].tolist():
        page = pages[place]
        table.add_row(f"{relevance[place]:.3f}", terminal.clean(page.title), terminal.clean(page.url))
    terminal.print_table(table)
