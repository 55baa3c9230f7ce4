"""The life of a run: the work that makes it, how long it is kept, and the page that shows it."""
