"""When a child has grown too much to go on with it."""

from docsieve.sandbox.limits import Limits

_MODEL_MB = 64
_MOST_MODELS = 4


class Growth:
    """Tells a leak from a model that was loaded: a leak is many small steps, a model a few large ones, and it stays."""

    def __init__(self, limits: Limits, first_mb: int) -> None:
        self._limits = limits
        self._base_mb = self._last_mb = first_mb
        self._models = 0

    def is_too_much(self, resident_mb: int, reserved_mb: int = 0) -> bool:
        """Whether the child should be replaced, now that it holds so much after a document.

        What it only reserved counts too: the kernel refuses twice the memory, and the next document needs some.
        """
        step = resident_mb - self._last_mb
        self._last_mb = resident_mb
        if step > _MODEL_MB and self._models < _MOST_MODELS:
            self._models += 1
            self._base_mb += step
        grown = resident_mb - self._base_mb > self._limits.grown_mb
        full = resident_mb * 8 > self._limits.memory_mb * 7 or reserved_mb * 4 > self._limits.memory_mb * 5
        return grown or full
