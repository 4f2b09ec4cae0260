"""A run as a page for people: its figures, its curve of confidence, and the pages with boxes."""
