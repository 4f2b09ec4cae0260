"""Document classes: built-in ones and those of the caller's tenant."""

from fastapi import Response

from docsieve.api.access import Admin, Caller, Reader, Session
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.definitions.classes import ClassCreate, ClassPage, ClassRead, all_classes, one_class
from docsieve.db.definitions import classes as own_classes
from docsieve.domain.classes import BUILT_IN
from docsieve.errors import Forbidden, NameTaken, NotFound
from docsieve.errors.extractions import TooManyClasses
from docsieve.services.definitions import classes

router = Router(prefix="/classes", tags=["admin"], responses=COMMON)


@router.get("")
async def list_classes(caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50) -> ClassPage:
    """List the built-in classes, then the tenant's own, sorted by name."""
    listed = enumerate(all_classes(await own_classes.list_own(session)))
    page, following = cut(listed, _place, cursor, limit)
    return ClassPage(classes=[each for _, each in page], next_cursor=following)


def _place(numbered: tuple[int, ClassRead]) -> tuple[int, str]:
    """Built-in classes have a fixed order and come first."""
    number, each = numbered
    return (number, "") if each.built_in else (len(BUILT_IN), each.name)


@router.post("", status_code=201, responses=problems(NameTaken, TooManyClasses))
async def add_class(body: ClassCreate, caller: Admin, session: Session) -> ClassRead:
    """Add a class. It applies to documents that are read from now on, or reprocessed."""
    _check_whole_tenant(caller)
    return one_class(await classes.add(session, body.name, body.description))


@router.delete("/{name}", status_code=204, responses=problems(NotFound))
async def remove_class(name: Name, caller: Admin, session: Session) -> Response:
    """Remove a class. Documents that were assigned to it keep its name."""
    _check_whole_tenant(caller)
    await classes.remove(session, name)
    return Response(status_code=204)


def _check_whole_tenant(caller: Caller) -> None:
    if caller.scope.project_id is not None:
        raise Forbidden("This key is restricted to one project.")
