"""JSON values: reading their text, comparing them, their shape, paths into them."""
