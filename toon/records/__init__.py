"""The sample API's lists of records: the store, queries, fields, deltas and how lists grow."""
