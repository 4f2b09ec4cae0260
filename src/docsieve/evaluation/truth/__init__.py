"""Where the true values are on the pages."""
