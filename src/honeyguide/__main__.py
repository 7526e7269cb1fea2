"""`python -m honeyguide`: the command, also where it is not on the path."""

from __future__ import annotations

from honeyguide.cli.main import app

if __name__ == "__main__":
    app(prog_name="honeyguide")
