"""Prompts of a tenant: templates for instructions to language models."""

from typing import NamedTuple

from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.definitions.versions import PROMPTS, Version
from docsieve.domain.prompts import check_template
from docsieve.domain.schemas.refs import PromptRef
from docsieve.errors import NotFound
from docsieve.errors.extractions import UnknownPrompt
from docsieve.services.definitions import versions


class ResolvedPrompt(NamedTuple):
    name: str
    version: int
    content: str

    @property
    def ref(self) -> str:
        return f"{self.name}@{self.version}"


async def resolve(session: Session, ref: str) -> ResolvedPrompt:
    """Resolve `terse` or `terse@3`, including versions of deleted names. Raises UnknownPrompt."""
    wanted = PromptRef.parse(ref)
    found = await find(session, wanted.name, wanted.version)
    if found is None:
        raise UnknownPrompt(f"Prompt {wanted} not found.")
    return ResolvedPrompt(found.name, found.version, found.content)


async def find(session: Session, name: str, version: int | None = None) -> Version | None:
    """The given version, or the current one."""
    if version is None:
        head = await PROMPTS.head(session, name)
        if head is None or head.deleted:
            return None
        version = head.current_version
    return await PROMPTS.find(session, name, version)


async def add(
    session: Session,
    name: str,
    template: str,
    *,
    note: str | None = None,
    created_by: str | None = None,
    make_current: bool = True,
) -> Version:
    """Add the next version of the name, unless the template equals the newest version."""
    check_template(template)
    return await versions.add(
        session, PROMPTS, name, template, note=note, created_by=created_by, make_current=make_current
    )


async def use(session: Session, name: str, version: int) -> Version:
    """Make this version current."""
    if await PROMPTS.find(session, name, version) is None:
        raise NotFound("Prompt version not found.")
    await versions.use(session, PROMPTS, name, version)
    chosen = await PROMPTS.find(session, name, version)
    assert chosen is not None
    return chosen


async def remove(session: Session, name: str) -> None:
    await versions.remove(session, PROMPTS, name, used_by=await projects.names_using_prompt(session, name))
