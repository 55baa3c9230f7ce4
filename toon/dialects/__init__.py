"""Ways to write JSON for a model that are met in the field, each as its document describes it."""
