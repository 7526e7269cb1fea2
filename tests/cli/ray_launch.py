"""Launches a command over a cluster of Ray; prints the exit codes. Run by test_ray_workers.py."""

import sys

from honeyguide.cli.ray_workers import run_on_ray

if __name__ == "__main__":
    print(run_on_ray(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
