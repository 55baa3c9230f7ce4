"""Dialects in the field: formats that other products call TOON, or use in its place.

Every dialect is a package with the same functions, in modules of the same names: ``grammar`` has
the rules for tokens; ``encoder`` has ``encode``, which writes a JSON value, and ``losses``, which
names what ``encode`` drops or changes; ``decoder`` has ``read``, with a reader based on
:class:`toon.dialects.base.Scanner`; ``kinds`` has ``layout``. A layout has its own patterns over
the bytes, since it also lays out damaged text, in a quarter of the time that reading takes.
"""
