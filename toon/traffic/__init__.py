"""Readers of payloads in HAR, JSON Lines, JSON, CSV, zip, MCP transcripts and chat logs.

The kind of a file is detected from its content (:mod:`.sniff`). Any kind may be gzipped, and text
may be UTF-8, or UTF-16 with a byte-order mark. A record that cannot be read becomes a
:class:`BadRecord` with its place and the reason, and reading goes on. Memory is bounded by the
longest record (:data:`.streams.MAX_RECORD`), except that a zip inside gzip is held whole.
"""

from toon.traffic.corpus import Growing, is_packed, read, read_paths, sniff

__all__ = ["Growing", "is_packed", "read", "read_paths", "sniff"]
