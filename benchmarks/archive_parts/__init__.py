"""Parts of the benchmark of archives."""
