"""What a sandbox runs: a task is a dataclass that names its inputs and outputs and can perform itself in a child."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from docsieve.domain.pages.page import OnProgress
from docsieve.errors import AttemptError, ParserCrashed, ParserTimeout

Result = TypeVar("Result", covariant=True)


class Task(ABC, Generic[Result]):
    """A frozen dataclass with a dataclass as its result, both of JSON values.

    Its files are `InputPath`s and `OutputPath`s, see `paths.py`; in the child these are paths in the child's own
    folder. `Sandbox.run` calls `perform` in a child and checks that what comes back is a `Result`.
    """

    __slots__ = ()

    crash: ClassVar[type[AttemptError]] = ParserCrashed
    """The error if the child crashes, or returns something other than a result: a document may have taken it over."""

    timeout: ClassVar[type[AttemptError]] = ParserTimeout

    limited_by_page: ClassVar[bool] = False
    """Whether the time limits begin again with each page that the task reports: a long scan may take hours."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What a child prepares for: the names of this task's class and of those that it performs as part of it."""
        return (type(self).__name__,)

    @abstractmethod
    def perform(self, report: OnProgress) -> Result:
        """Do the work, in the child. Files at output paths count only if this returns."""


class TaskModule(Protocol):
    """A module that a child imports by its name: a child can run its `TASKS` and nothing else."""

    __name__: str
    TASKS: Sequence[type[Task[Any]]]

    def prepare(self, kind: str, folder: Path) -> None:
        """Load what every task of this kind needs, once: what a task loads itself is lost when it ends.

        `kind` is the name of a class; `folder` is for temporary files.
        """
        ...

    def warm_up(self, folder: Path) -> Iterator[None]:
        """Load a little of what later tasks may need with each step, the likeliest first."""
        ...

    def load_models(self, name: str) -> None:
        """Load models that an earlier task used, before the first fork."""
        ...

    def loaded_models(self, kind: type[Task[Any]]) -> str | None:
        """The name of the models that a task of this kind has loaded in this process and later ones may need."""
        ...
