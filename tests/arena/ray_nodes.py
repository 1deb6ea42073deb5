"""A Ray cluster of two nodes on this machine, as a program; and work that its nodes do.

The program reads lines: ``kill`` removes the second node as if its plug were pulled, ``add`` starts another
one, ``end`` takes the first one away. All processes end with the program, and the program with its parent.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any


def free_ports(number: int) -> list[int]:
    """Return ports that nobody listens on; given to a node, it need not wait for its slower processes."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def node(cluster: Any, **more: object) -> Any:
    agents = ("metrics_agent_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
    ports = dict(zip(agents, free_ports(len(agents)), strict=True))
    return cluster.add_node(
        num_cpus=1, node_ip_address="127.0.0.1", object_store_memory=80 * 2**20, **ports, **more
    )


def main() -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(shutdown_at_exit=True)
    node(cluster, include_dashboard=False, no_monitor=True, include_log_monitor=False)
    second = node(cluster)
    tell(cluster.gcs_address)
    for line in sys.stdin:
        if line == "kill\n":
            cluster.remove_node(second, allow_graceful=False)
        elif line == "add\n":
            second = node(cluster)
        elif line == "end\n":
            break
        tell("done")
    for one in cluster.list_all_nodes():
        one.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
    os._exit(0)


def node_of(number: int) -> tuple[int, int]:
    """Return the number, and the process of the node on which this ran."""
    time.sleep(0.05)
    return number, os.getppid()


def die_of_seven(number: int) -> int:
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    raise LookupError(f"{number} is not there")


def large(number: int) -> bytes:
    return bytes([number]) * 5_000_000


def wait_for_ever(sign: Path) -> None:
    sign.write_text(str(os.getpid()))
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main()
