"""Many payloads: reading them out of what a team has, measuring them, reporting."""
