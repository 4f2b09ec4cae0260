"""Keys that encrypt blobs: master keys, and the data keys of tenants, which they wrap."""
