"""Benchmarks, run as commands: `python -m benchmarks NAME`. Each result is one line `figure NAME VALUE UNIT`."""
