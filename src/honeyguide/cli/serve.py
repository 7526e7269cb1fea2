"""`honeyguide serve`: a workspace over HTTP."""

from __future__ import annotations

import gc
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honeyguide.cli import terminal
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.serve.options import ServeOptions

EXAMPLES = """Examples:
  honeyguide serve
  honeyguide serve ~/bees --port 9000
  honeyguide serve ~/bees --new-token reader
  honeyguide serve ~/bees --portal-only --host 0.0.0.0 --name bees.example.org"""


class RoleName(StrEnum):
    """Who a token is for."""

    READER = "reader"
    OPERATOR = "operator"


def serve(
    workspace: Annotated[
        Path, typer.Argument(metavar="WORKSPACE", help="A folder of crawls and topics.")
    ] = Path(),
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Listen here; others than this machine can then ask.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0: any that is free.")] = 8765,
    copies_port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Of archived copies [default: the next one].")
    ] = 0,
    name: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="A host name to answer to. Repeatable.")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy with TLS that is on another machine. Repeatable."),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Let anybody search, and see the portal; the rest needs a token.")
    ] = False,
    portal_only: Annotated[
        bool, typer.Option("--portal-only", help="Nothing but the portal and its search, for anybody.")
    ] = False,
    allow_network: Annotated[
        list[str] | None,
        typer.Option(metavar="NETWORK", help="Crawls may ask this network, as 127.0.0.0/8. Repeatable."),
    ] = None,
    new_token: Annotated[
        RoleName | None, typer.Option(metavar="ROLE", help="Make a token for a reader or operator, and end.")
    ] = None,
) -> None:
    """Serve a workspace: its crawls and topics over a REST API, and what was found as a search portal.

    At the first start a token is shown, once; whoever has it may do everything. Crawls that are started here go on
    when the server ends. Needs: pip install 'honeyguide[serve]'
    """
    # Plug-ins of the library that checks requests are none of ours; to look for some takes a tenth of the start.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.disable()  # nothing of what a start makes is ever thrown away; `run` enables it
    try:
        from honeyguide.serve.options import ServeOptions
        from honeyguide.serve.running import run
        from honeyguide.serve.security import Keys, Role, role_of
        from honeyguide.serve.workspace import Workspace
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("honeyguide"):
            raise
        raise SettingsError("serve needs more packages: pip install 'honeyguide[serve]'") from None

    opened = Workspace(workspace)
    keys = Keys(opened.private)
    if new_token:
        typer.echo(keys.make(role_of(new_token.value)))
        return
    token = keys.make(Role.OPERATOR) if keys.is_new and not portal_only else ""
    options = ServeOptions(
        host=host,
        port=port,
        copies_port=copies_port,
        names=tuple(name or ()),
        proxies=tuple(proxy or ()),
        public=public,
        portal_only=portal_only,
        allow_networks=tuple(allow_network or ()),
    )
    run(opened, options, lambda bound: _tell(bound, token))


def _tell(options: ServeOptions, token: str) -> None:
    shown = f"[{options.host}]" if ":" in options.host else options.host
    if token:
        typer.echo(f"token: {token}")
        terminal.note("this token is shown once; whoever has it may do everything here")
    if not options.is_loopback:
        terminal.warn(
            f"others can reach {options.host}, and what is sent is not encrypted; put a proxy with TLS before it"
        )
    if not options.portal_only:
        terminal.note(f"the console is at http://{shown}:{options.port}/console/")
    typer.echo(f"serving http://{shown}:{options.port}/")
    sys.stdout.flush()  # whoever reads it through a pipe waits for this line
