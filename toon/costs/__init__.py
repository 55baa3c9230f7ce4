"""What a value costs in each format, whether it comes back, which format to send, and its price."""
