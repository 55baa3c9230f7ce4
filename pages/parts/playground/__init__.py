"""What only the playground draws: the editors and the token bill."""
