"""What a task is: a function of JSON arguments to a JSON result, which tells how far it got."""

from collections.abc import Callable
from typing import Any

from docsieve.domain.pages import Progress

Report = Callable[[Progress], None]
Task = Callable[[dict[str, Any], Report], dict[str, Any]]
