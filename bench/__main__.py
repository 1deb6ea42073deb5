"""Run a benchmark: `python -m bench --help`."""

import sys

from flagfall.cli import main

main(["bench", *sys.argv[1:]])
