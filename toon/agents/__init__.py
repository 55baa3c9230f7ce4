"""Sessions that coding agents keep on this machine: finding and reading them."""
