"""The parts of the dashboard: where its run comes from, what is looked at, and the panels."""
