"""Dialects in the field: formats that other products call TOON, or use in its place.

Every dialect is a package with the same functions, in modules of the same names: ``grammar`` has
the rules for tokens; ``encoder`` has ``encode``, which writes a JSON value, and ``losses``, what
that drops or changes in phrases; ``decoder`` has ``read``, which reads with the one
:class:`toon.dialects.scanner.Scanner`; ``kinds`` has ``layout``. A layout has patterns of its own
over the bytes: it is of damaged text, too, and takes a quarter of the time of reading.
"""
