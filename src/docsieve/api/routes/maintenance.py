"""Maintenance tasks: list them, and run one now. For operators and for external schedulers."""

from typing import Annotated

from fastapi import Query

from docsieve.api.access import OperatorOrScheduler, Resources
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.jobs import JobRead
from docsieve.api.wire.maintenance import TaskList, TaskRead
from docsieve.errors import NotFound, Unauthorized
from docsieve.errors.access import TokenInvalid
from docsieve.services.maintenance import runs, tasks

router = Router(prefix="/maintenance", tags=["admin"], responses={**COMMON, **problems(Unauthorized, TokenInvalid)})


@router.get("", response_model=TaskList)
async def list_tasks(
    actor: OperatorOrScheduler, resources: Resources, cursor: SortedCursor = None, limit: Limit = 50
) -> TaskList:
    """List maintenance tasks with their schedule, next run and last result, sorted by name."""
    found = await runs.states(resources.database, resources.settings)
    page, following = cut(found, lambda each: (each.task.name,), cursor, limit)
    return TaskList(tasks=[TaskRead.of(each) for each in page], next_cursor=following)


@router.post("/{task}", response_model=JobRead, status_code=202, responses=problems(NotFound))
async def run_task(
    task: str,
    actor: OperatorOrScheduler,
    resources: Resources,
    dry_run: Annotated[bool, Query(description="Only count what would be deleted.")] = False,
    limit: Annotated[
        int | None, Query(ge=1, le=1_000_000_000, description="Maximum number of things to delete or check.")
    ] = None,
) -> JobRead:
    """Run a task now and return its job. A job with the same options that is not finished is returned instead.

    No body is needed; one that a scheduler sends is ignored. Authorize with an operator's API key, or with a bearer
    token: DOCSIEVE_MAINTENANCE_TOKEN, or an OpenID Connect token as DOCSIEVE_MAINTENANCE_OIDC describes it.
    """
    job = await runs.request(resources.database, tasks.named(task), dry_run=dry_run, limit=limit, by=actor)
    return JobRead.of(job)
