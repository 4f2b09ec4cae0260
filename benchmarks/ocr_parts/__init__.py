"""Receipts with known text, the two readers that are compared on them, and how their readings are scored."""
