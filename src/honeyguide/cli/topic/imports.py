"""`honeyguide topic import`: a taxonomy that others made, with the topics in it that are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import progress, terminal
from honeyguide.cli.topic.files import check_is_new, save
from honeyguide.cli.topic.given import warn_of_languages
from honeyguide.cli.topic.options import Force, TopicFile
from honeyguide.cli.topic.tree_view import print_tree
from honeyguide.errors import ImportFailed, SettingsError

if TYPE_CHECKING:
    from honeyguide.topics.examples import Example
    from honeyguide.topics.imports import Collected, ImportLimits
    from honeyguide.topics.imports.collected import Progress
    from honeyguide.topics.taxonomy import Taxonomy, TopicTree

EXAMPLES = """Examples:
  honeyguide topic import bookmarks bookmarks.html bees.topic
  honeyguide topic import bookmarks bookmarks.html bees.topic --good Hobbies/Bees
  honeyguide topic import dmoz structure.rdf.u8 content.rdf.u8 arts.topic \\
      --under Top/Arts --per-topic 50 --good Music/Styles/Jazz
  honeyguide topic import tsv directory.tsv.gz games.topic --good Gaming
  honeyguide topic import folders pages/ bees.topic --good Bees"""

MOST_REASONS = 5


class Kind(StrEnum):
    """What can be imported."""

    DMOZ = "dmoz"
    FOLDERS = "folders"
    TSV = "tsv"
    BOOKMARKS = "bookmarks"


def import_taxonomy(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="One of dmoz, folders, tsv, bookmarks.")],
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="SOURCE...", help="What to read; of dmoz, structure and content go together."),
    ],
    file: TopicFile,
    good: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A topic you want pages on. Repeatable.")
    ] = None,
    under: Annotated[
        str, typer.Option(metavar="PATH", help="Take only what lies below this topic.", show_default=False)
    ] = "",
    depth: Annotated[
        int, typer.Option(metavar="N", min=1, help="So many levels; deeper topics join the one above.")
    ] = 16,
    per_topic: Annotated[int, typer.Option(metavar="N", min=1, help="At most so many pages a topic.")] = 200,
    force: Force = False,
) -> None:
    """Make a topic of a directory, of folders or of bookmarks, in which some topics are good.

    Without --good nothing is written: the top of the tree is shown to choose from. Topics of the built-in taxonomy
    are added, for pages that are on none of yours.
    """
    from honeyguide.topics.imports import ImportLimits
    from honeyguide.topics.taxonomy import TaxonomyTopic
    from honeyguide.topics.taxonomy.backbone import train_against_backbone

    if good:
        check_is_new(file, force)
    limits = ImportLimits(depth=depth, examples_per_topic=per_topic, under=under)
    collected = _read(kind, sources, limits)
    _tell_skipped(collected)
    if not good:
        _show_choice(kind, sources, file, collected)
        return
    for path in good:
        node = collected.tree.find(_below_top(path, collected.tree))
        _check_has_examples(collected, node, sources[0])
        collected.tree.mark_good(node)
    _print(collected, depth=0)
    own = len(collected.tree)
    with progress.bar("learning") as show:
        show(0, None)
        taxonomy = train_against_backbone(collected.tree, collected.examples, collected.places)
    _tell_others(taxonomy, len(taxonomy.tree) - own)
    warn_of_languages(collected.examples, taxonomy.documents.language)
    save(file, TaxonomyTopic(taxonomy))


def _check_has_examples(collected: Collected, node: int, source: Path) -> None:
    if collected.tree.subtree(node).isdisjoint(collected.places):
        place = source / collected.tree.path(node) if source.is_dir() else collected.tree.path(node)
        raise SettingsError(
            f"--good {place}: there is no page in it to learn from; add some, or choose another topic"
        )


def _tell_others(taxonomy: Taxonomy, others: int) -> None:
    if others:
        terminal.say(
            f"told from each other, and from {others} topics of the built-in taxonomy as everything else"
        )
    else:
        terminal.warn(
            f"the pages are in the language {taxonomy.documents.language!r}, and there is a built-in taxonomy for "
            f"English alone: every page belongs to one of these topics; add one of pages on anything else"
        )


def _read(kind: Kind, sources: Sequence[Path], limits: ImportLimits) -> Collected:
    if kind is not Kind.DMOZ and len(sources) > 1:
        raise SettingsError(f"{kind.value} takes one SOURCE, then FILE; {sources[1]} is too much")
    with progress.bar(f"reading {sources[0].name}") as show:
        total = _plain_bytes(sources)

        def watch(bytes_read: int) -> None:
            show(bytes_read, total)

        return _importer(kind, sources, limits, watch).checked()


def _importer(kind: Kind, sources: Sequence[Path], limits: ImportLimits, watch: Progress) -> Collected:
    from honeyguide.topics import imports

    if kind is Kind.DMOZ:
        return imports.read_dmoz(*sources, limits=limits, progress=watch)
    if kind is Kind.FOLDERS:
        return imports.read_folders(sources[0], _example, limits, watch)
    read = imports.read_directory_tsv if kind is Kind.TSV else imports.read_bookmarks
    return read(sources[0], limits, watch)


def _plain_bytes(sources: Sequence[Path]) -> int | None:
    """How much will be read, where that can be told: packed files and folders do not say."""
    source = sources[0]
    if len(sources) > 1 or not source.is_file() or source.suffix == ".gz":
        return None
    return source.stat().st_size


def _example(path: Path) -> Example | None:
    from honeyguide.examples import read_example

    try:
        return read_example(path)
    except ImportFailed:
        return None


def _tell_skipped(collected: Collected) -> None:
    for reason, number in collected.skipped.most_common(MOST_REASONS):
        terminal.note(f"{number:,} left out: {reason}")


def _below_top(path: str, tree: TopicTree) -> str:
    """A path as DMOZ writes it, Top/Arts, means Arts."""
    return path if tree.child("Top") is not None else path.removeprefix("Top/")


def _show_choice(kind: Kind, sources: Sequence[Path], file: Path, collected: Collected) -> None:
    _print(collected, depth=2)
    command = terminal.command("topic", "import", kind.value, *sources, file, "--good", "PATH")
    terminal.note(f"nothing was written; choose the topics you want pages on:  {command}")


def _print(collected: Collected, depth: int) -> None:
    import numpy as np

    print_tree(collected.tree, np.array(collected.places, dtype=np.int32), depth)
