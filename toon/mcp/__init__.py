"""Tools for agents, by the Model Context Protocol: counting, choosing, converting, measuring."""
