"""How the interpreter is set while a crawl runs."""

import platform
import subprocess
import sys

import pytest

COUNT = """
import resource
from honeyguide.engine.running import keep_freed_memory

if {is_kept}:
    keep_freed_memory()

def batch():
    some = [bytearray(60_000) for _ in range(100)]

batch()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    batch()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(is_kept: bool) -> int:
    command = [sys.executable, "-c", COUNT.format(is_kept=is_kept)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others keep memory in their own ways")
def test_what_a_batch_has_freed_is_there_for_the_next() -> None:
    assert faults(is_kept=True) < faults(is_kept=False) / 10
