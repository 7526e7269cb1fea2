"""The command line: one verb a file, put together in `main`. Heavy modules are imported inside the verbs."""
