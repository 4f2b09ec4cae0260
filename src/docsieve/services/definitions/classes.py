"""Document classes of a tenant: the built-in ones and its own."""

from docsieve.db.connection.session import Session
from docsieve.db.definitions import classes
from docsieve.db.definitions.classes import OwnClass
from docsieve.domain.audit import Action
from docsieve.domain.classes import BUILT_IN_NAMES
from docsieve.errors import NameTaken, NotFound
from docsieve.errors.extractions import TooManyClasses

# Every document is compared with each class.
MAX_CLASSES = 200


async def add(session: Session, name: str, description: str) -> OwnClass:
    """Add a class. It applies to documents that are read from now on."""
    if name in BUILT_IN_NAMES:
        raise NameTaken(f"{name} is a built-in class.")
    if await classes.count(session) >= MAX_CLASSES:
        raise TooManyClasses(f"A tenant can have at most {MAX_CLASSES} classes.")
    added = await classes.create(session, name, description)
    session.audit(Action.class_created, "class", name)
    return added


async def remove(session: Session, name: str) -> None:
    """Remove a class. Documents that were assigned to it keep its name."""
    if name in BUILT_IN_NAMES:
        raise NotFound(f"{name} is a built-in class and cannot be removed.")
    if not await classes.delete(session, name):
        raise NotFound("Class not found.")
    session.audit(Action.class_deleted, "class", name)
