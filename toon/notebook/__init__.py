"""The answer about a payload in a notebook: a card to look at, and the magic ``%%toon_stats``."""
