"""`honeyguide topic`: makes topic files, tries them out and changes them."""

from __future__ import annotations

from collections.abc import Callable

import typer

from honeyguide.cli.ending import Verb
from honeyguide.cli.topic import diff, explain, export, footprint, imports, new, suggest, test, train, tree

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nStart with:\n"
    '  honeyguide topic new bees.topic --words "beekeeping, honey bees"\n'
    "  honeyguide topic VERB --help",
)


@app.callback()
def topic() -> None:
    """Make a topic, try it out and change it; a topic is one file.

    It may be made of words, of example pages, of a place in a taxonomy, of an ontology, or of several of these.
    `honeyguide crawl --topic-file FILE` crawls for it.
    """


def _add(name: str, verb: Callable[..., None], examples: str) -> None:
    app.command(name, cls=Verb, epilog=f"\b\n{examples}")(verb)


_add("new", new.new, new.EXAMPLES)
_add("train", train.train, train.EXAMPLES)
_add("test", test.measure, test.EXAMPLES)
_add("explain", explain.explain, explain.EXAMPLES)
_add("diff", diff.diff, diff.EXAMPLES)
_add("import", imports.import_taxonomy, imports.EXAMPLES)
_add("tree", tree.tree, tree.EXAMPLES)
_add("suggest", suggest.suggest, suggest.EXAMPLES)
_add("export", export.export, export.EXAMPLES)
_add("footprint", footprint.footprint, footprint.EXAMPLES)
