"""Computer players think in processes of their own, which are given a View and never a State.

::

    match ─► queue, fair between guests ─► slot ─► worker process ─► one action, or a setup
                                            │          ▲
                          late or dead: killed         │ fork, in milliseconds
                                            └──► template process, warmed up once

There are two groups of workers. Players that search deeply need compiled kernels, which take about a minute
on a new machine; the others run interpreted and never wait for that.
"""

from flagfall.server.workers.jobs import BoxJob, Job, LivePlayers, ReviewJob
from flagfall.server.workers.pool import Lease, ThinkingError, Workers
from flagfall.server.workers.queue import FairQueue, JobDroppedError, QueueFullError, Ticket

__all__ = [
    "BoxJob",
    "FairQueue",
    "Job",
    "JobDroppedError",
    "Lease",
    "LivePlayers",
    "QueueFullError",
    "ReviewJob",
    "ThinkingError",
    "Ticket",
    "Workers",
]
