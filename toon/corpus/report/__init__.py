"""The report of a run: its facts, and HTML, Markdown and CSV made of them."""
