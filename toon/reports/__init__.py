"""The report of a run: its facts, and how they are written as HTML, Markdown and CSV."""
