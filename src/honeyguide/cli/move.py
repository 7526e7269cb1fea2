"""`honeyguide move`: a crawl's database into PostgreSQL, or back into its folder."""

from __future__ import annotations

from typing import Annotated

import typer

from honeyguide.cli import progress, terminal
from honeyguide.cli.options import Folder, Quiet

EXAMPLES = """Examples:
  honeyguide move crawls/beekeeping postgresql://me@db.example/crawls
  honeyguide move crawls/beekeeping"""


def move(
    folder: Folder,
    address: Annotated[
        str,
        typer.Argument(metavar="[ADDRESS]", help="A PostgreSQL database; without one: back into the folder."),
    ] = "",
    quiet: Quiet = False,
) -> None:
    """Move a crawl's database into PostgreSQL, or back into a file in its folder.

    The crawl must not be running. Archive, order and topic stay in the folder; if anything goes wrong, nothing has
    changed. Needs: pip install 'honeyguide[postgres]'
    """
    from honeyguide.store.moving import move_to_file, move_to_postgres

    with progress.bar("moving", quiet) as show:
        if address:
            move_to_postgres(folder, address, show)
        else:
            move_to_file(folder, show)
    if not quiet:
        terminal.note(f"the database of {folder} is {'in PostgreSQL' if address else 'in its folder'} now")
