"""Kinds of document as one tenant sees them: the built-in ones and its own."""

from docsieve.db import classes
from docsieve.db.classes import OwnClass
from docsieve.db.connection.session import Session
from docsieve.domain.classes import BUILT_IN_NAMES
from docsieve.errors import NameTaken, NotFound
from docsieve.errors.extractions import TooManyClasses

# Every document is compared with each of them.
MOST_OWN_CLASSES = 200


async def add(session: Session, name: str, description: str) -> OwnClass:
    """Documents read from now on may be of this class; those read before keep theirs until they are read again."""
    if name in BUILT_IN_NAMES:
        raise NameTaken(f"{name} is a built-in class.")
    if await classes.count(session) >= MOST_OWN_CLASSES:
        raise TooManyClasses(f"A tenant has {MOST_OWN_CLASSES} classes of its own at most.")
    return await classes.create(session, name, description)


async def remove(session: Session, name: str) -> None:
    """Documents that were found to be of this class keep its name."""
    if name in BUILT_IN_NAMES:
        raise NotFound(f"{name} is a built-in class and stays.")
    if not await classes.delete(session, name):
        raise NotFound("There is no such class.")
