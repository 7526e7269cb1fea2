"""A verb in a process that nobody watches: `python -m honeyguide.cli.detached LOCK LOG OUTPUT END VERB ...`.

What it says goes to files of bounded length, and how it ended into another one. LOCK is an open file that is locked as
long as this process lives.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

LONGEST_FILE = 4_000_000
LOOK_SECONDS = 1.0


def main() -> None:
    """Run the verb."""
    held, log, output, end = int(sys.argv[1]), *map(Path, sys.argv[2:5])
    if os.fork():
        os._exit(0)  # whoever started this has done so, and need not wait for its end
    os.set_inheritable(held, False)  # or a process of this one could keep the lock after it
    os.truncate(held, 0)
    os.write(held, str(os.getpid()).encode())
    _say_to(log, 2)
    _say_to(output, 1)
    threading.Thread(target=_keep_short, args=({log, output},), daemon=True).start()
    sys.argv = ["honeyguide", *sys.argv[5:]]
    code = 1
    try:
        from honeyguide.cli.main import app

        app()
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        raise
    finally:
        _note_end(end, code)


def _say_to(path: Path, descriptor: int) -> None:
    # Appended, so that the file can be cut while it is written to, here or by processes of this one.
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    if descriptor == 2 or path.stat().st_size == 0:
        os.truncate(file, 0)
    os.dup2(file, descriptor)
    os.close(file)


def _keep_short(files: set[Path]) -> None:
    while True:
        time.sleep(LOOK_SECONDS)
        for path in files:
            if path.stat().st_size > LONGEST_FILE:
                last = path.read_bytes()[-LONGEST_FILE // 2 :]
                os.truncate(path, 0)
                with path.open("ab") as file:
                    file.write(last)


def _note_end(path: Path, code: int) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps({"code": code, "ended": time.time()}), encoding="utf-8")
    part.replace(path)


if __name__ == "__main__":
    main()
