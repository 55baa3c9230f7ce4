"""The tap: stands in the way of real traffic, passes every byte on, and records what was sent.

The *forwarder* (:mod:`.stdio` for a command, :mod:`.proxy` for HTTP) passes bytes on and puts
copies of them into the queue of the *recorder* (:mod:`.recorder`). A thread of the recorder puts
requests and answers together, and appends a line for each call to a file, which ``toon.traffic``
reads. Neither a full queue nor a full disk holds the traffic up.
"""
