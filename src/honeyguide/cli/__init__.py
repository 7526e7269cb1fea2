"""The command line: one verb a file, put together in `main`. Heavy modules are imported inside the verbs."""

import os

# Before numpy is imported: matrices are small here, and threads that wait for each other made hcla ten times slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")
