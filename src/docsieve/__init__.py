"""Docsieve: documents in, fields with their proof on the page out."""

__version__ = "0.1.0"
