"""Patterns in file names, matched in linear time: no pattern and no name can hold up a request."""

import re2

from docsieve.errors.batches import PatternInvalid

GROUP = "group"
_MAX_MEMORY = 1024**2


class NamePattern:
    """A regular expression in RE2 syntax, which has no backreferences and no look-around."""

    def __init__(self, pattern: str) -> None:
        """Raises PatternInvalid."""
        options = re2.Options()
        options.max_mem = _MAX_MEMORY
        options.log_errors = False
        try:
            self._compiled = re2.compile(pattern, options)
        except re2.error as error:
            raise PatternInvalid(f"The pattern is not valid: {_reason(error)}.") from error
        if GROUP not in self._compiled.groupindex:
            raise PatternInvalid(f"The pattern needs a group named `{GROUP}`, such as `(?P<{GROUP}>[0-9]+)`.")

    def group_of(self, name: str) -> str | None:
        """What the group matches in the name; None if the pattern does not match, or the group matches nothing."""
        found = self._compiled.search(name)
        return (found[GROUP] or None) if found is not None else None


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else error
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
