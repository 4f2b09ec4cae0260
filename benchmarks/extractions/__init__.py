"""What the benchmark of extraction is made of: documents whose values are known."""
