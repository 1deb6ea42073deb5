"""Tasks on more than one machine: an executor over a Ray cluster.

`executor` is used by the command and talks to a process of its own, which runs `driver` and is the only one
that uses Ray. On the nodes of the cluster, `node` prepares each worker and runs the tasks. `needs` says what
a node must have so that the same seeds give the same games there.
"""
