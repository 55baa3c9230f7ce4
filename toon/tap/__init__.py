"""The tap, which forwards real traffic unchanged and records it.

The *forwarder* (:mod:`.stdio` for a command, :mod:`.proxy` for HTTP) passes bytes on and puts
copies of them into the queue of the *recorder* (:mod:`.recorder`). A thread of the recorder pairs
requests with answers, and appends a line for each call to a file, which ``toon.traffic`` reads.
Neither a full queue nor a full disk holds the traffic up.
"""
