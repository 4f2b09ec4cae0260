"""Documents that can be found."""

from tests.services.index.conftest import library, walls

__all__ = ["library", "walls"]
