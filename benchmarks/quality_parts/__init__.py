"""Parts of `make eval`."""
