"""The sample API's lists of records: its store, queries, fields and changes, and their costs."""
