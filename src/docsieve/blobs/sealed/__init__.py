"""A blob store that encrypts the blobs of tenants, around any other."""
