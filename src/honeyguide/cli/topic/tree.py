"""`honeyguide topic tree`: shows what is inside a taxonomy or an ontology, and changes a taxonomy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import Assignments
from honeyguide.cli.topic.edits import Edits
from honeyguide.cli.topic.given import Web
from honeyguide.cli.topic.map_view import print_weights
from honeyguide.cli.topic.options import Contact, Recording, TopicFile
from honeyguide.cli.topic.tree_view import print_examples, print_tree
from honeyguide.errors import SettingsError, TopicError

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.topics.taxonomy import Taxonomy

EXAMPLES = """Examples:
  honeyguide topic tree bees.topic
  honeyguide topic tree bees.topic --depth 1
  honeyguide topic tree bees.topic --examples Home/Beekeeping
  honeyguide topic tree bees.topic --refine Home/Beekeeping/Queens=7,9 \\
      --not-good Home/Beekeeping --good Home/Beekeeping/Queens
  honeyguide topic tree bees.topic --add-example Home/Beekeeping=hives.html
  honeyguide topic tree bees.topic --remove-example 3,8 --remove Home/Gardening
  honeyguide topic tree cars.topic"""

Changes = list[str] | None


def tree(
    file: TopicFile,
    depth: Annotated[int, typer.Option(metavar="N", min=0, help="Show so many levels.")] = 2,
    examples: Annotated[
        str | None, typer.Option(metavar="PATH", help="List the examples of a topic with their numbers.")
    ] = None,
    add: Annotated[Changes, typer.Option(metavar="PATH", help="Add a topic.")] = None,
    rename: Annotated[Changes, typer.Option(metavar="PATH=NAME", help="Give a topic another name.")] = None,
    move: Annotated[
        Changes, typer.Option(metavar="PATH=PARENT", help="Put a topic below another one.")
    ] = None,
    move_example: Annotated[
        Changes, typer.Option(metavar="N,..=PATH", help="Put examples into another topic.")
    ] = None,
    refine: Annotated[
        Changes, typer.Option(metavar="PATH/NEW=N,..", help="Add a topic below PATH with these examples.")
    ] = None,
    not_good: Annotated[Changes, typer.Option(metavar="PATH", help="Take a good mark back.")] = None,
    good: Annotated[Changes, typer.Option(metavar="PATH", help="Pages on this topic are wanted.")] = None,
    remove: Annotated[
        Changes, typer.Option(metavar="PATH", help="Take a topic out with all it holds.")
    ] = None,
    remove_example: Annotated[Changes, typer.Option(metavar="N,..", help="Forget examples.")] = None,
    add_example: Annotated[
        Changes, typer.Option(metavar="PATH=FILE", help="One more example of a topic: file, folder or url.")
    ] = None,
    recording: Recording = None,
    contact: Contact = None,
    assignments: Assignments = None,
) -> None:
    """Show the tree of a taxonomy with its good topics, or the weights around the focus of an ontology.

    The options from --add to --add-example change a taxonomy: in the order of this list, all of them or none.
    Each can be given several times. The topic is then trained again and its file replaced.
    """
    from honeyguide.topics.ontology import OntologyTopic
    from honeyguide.topics.taxonomy import TaxonomyTopic
    from honeyguide.topics.topic_file import read_topic

    given = (add, rename, move, move_example, refine, not_good, good, remove, remove_example, add_example)
    edits = Edits(*(changes or () for changes in given))
    topic = read_topic(file)
    if isinstance(topic, OntologyTopic) and not edits.count() and examples is None:
        print_weights(topic)
        return
    if not isinstance(topic, TaxonomyTopic):
        raise TopicError(_no_tree(file, topic.name))
    edits.apply(topic.taxonomy, Web(recording, contact, assignments))
    topic.taxonomy.tree.find(examples or "")  # before anything is written
    if edits.count():
        _write(file, topic.taxonomy, edits.count())
    if examples is None:
        print_tree(topic.taxonomy.tree, topic.taxonomy.documents.places, depth)
    else:
        print_examples(topic.taxonomy, examples)


def _no_tree(file: Path, kind: str) -> str:
    if kind == "ontology":
        return f"{file} is an ontology; change its map with another program and make the topic again"
    return (
        f"{file} is a {kind} topic and has no tree; make one with `honeyguide topic new --name` or "
        f"`honeyguide topic import`"
    )


def _write(file: Path, taxonomy: Taxonomy, changes: int) -> None:
    from honeyguide.topics.taxonomy import TaxonomyTopic
    from honeyguide.topics.topic_file import write_topic

    if not taxonomy.tree.good:
        raise SettingsError("no topic would be good any more; mark another one with --good")
    write_topic(file, TaxonomyTopic(taxonomy))
    terminal.note(f"{wording.count(changes, 'change')} written to {file}")
