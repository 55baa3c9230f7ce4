"""The tap: stands in the way of real traffic, passes every byte on, and records what was sent.

Two programs do it. The *forwarder* (:mod:`.stdio` for a command, :mod:`.proxy` for HTTP) passes
bytes on and hands copies of them to :mod:`.copies`. The *recorder* (:mod:`.recorder`) is a process
of its own: it puts requests and answers together and appends a line for each call to a file, which
``toon.traffic`` reads. Nothing that happens to the recorder or its disk holds the traffic up.
"""
