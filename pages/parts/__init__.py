"""Code that several pages share, and folders of what a single page draws."""
