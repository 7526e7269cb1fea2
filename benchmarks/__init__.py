"""Benchmarks, run as commands: `python -m benchmarks NAME`. Each result is one line `figure NAME VALUE UNIT`."""

import os

# As the command line does; before numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
