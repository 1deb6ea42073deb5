"""Starts servers quickly: everything is imported once, each server is a fork of this process.

Reads lines ``port folder`` from standard input; answers each with the process id of a new server.
"""

from __future__ import annotations

import os
import signal
import sys

from flagfall.server.serve import serve
from flagfall.server.settings import gathered


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        port, folder = line.rstrip("\n").split(" ", 1)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
            serve(gathered({"port": int(port), "data": folder}, os.environ))
            os._exit(0)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
