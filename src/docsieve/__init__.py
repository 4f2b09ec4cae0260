"""Docsieve: documents in, fields with their proof on the page out."""

import os

__version__ = "0.1.0"

# Said before numpy is loaded: our matrices are small, and its threads would only wait for each other, busily.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
