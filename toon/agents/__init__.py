"""The sessions that coding agents keep on this machine: where they lie, and reading them."""
