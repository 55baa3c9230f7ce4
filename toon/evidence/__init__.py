"""The claims of others for their formats, beside our measurements."""
