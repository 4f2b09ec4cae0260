"""When work may start: at the time that a request names, or when the processing window of its project opens."""

from dataclasses import dataclass
from datetime import datetime

from docsieve.db.access import projects
from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.domain.jobs import DeferredBy
from docsieve.domain.schedules.windows import URGENT_PRIORITY


@dataclass(frozen=True, slots=True)
class Deferral:
    """Null if the work may start at once."""

    run_at: datetime | None = None
    deferred_by: DeferredBy | None = None


async def deferral(
    session: Session, project: Project, *, run_at: datetime | None, priority: int, batch: bool = False
) -> Deferral:
    """A time that was named wins over the processing window, and so does urgent priority. `add_document` agrees."""
    if run_at is not None:
        return Deferral(run_at, "run_at")
    if project.processing_window is None or priority >= URGENT_PRIORITY:
        return Deferral()
    opens = await projects.window_opens(session, project.id, batch=batch)
    return Deferral(opens, "processing_window") if opens is not None else Deferral()
