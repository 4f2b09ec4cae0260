"""`docsieve backup` and `docsieve restore`."""
