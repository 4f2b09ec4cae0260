"""Versioned prompts of the caller's tenant."""

from typing import Annotated

from fastapi import Path, Response

from docsieve.api.access import Admin, Caller, Reader, Session
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.definitions.prompts import PromptCreate, PromptPage, PromptRead, PromptVersionPage
from docsieve.api.wire.definitions.versions import UseVersion
from docsieve.db.definitions.versions import PROMPTS
from docsieve.errors import Forbidden, Invalid, NotFound
from docsieve.errors.extractions import PromptInvalid, StillInUse, TooManyNames
from docsieve.services.definitions import prompts

router = Router(prefix="/prompts", tags=["schemas"], responses=COMMON)

Number = Annotated[int, Path(ge=0, lt=1_000_000_000)]


@router.get("")
async def list_prompts(caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50) -> PromptPage:
    """List the current version of each prompt, sorted by name."""
    page, following = cut(await PROMPTS.list_current(session), lambda each: (each.name,), cursor, limit)
    return PromptPage(prompts=[PromptRead.of(each) for each in page], next_cursor=following)


@router.post("", status_code=201, responses=problems(Invalid, PromptInvalid, TooManyNames))
async def create_prompt(body: PromptCreate, caller: Admin, session: Session) -> PromptRead:
    """Create the first or the next version of a prompt. Sending the newest version again does not create another."""
    _check_whole_tenant(caller)
    added = await prompts.add(
        session,
        body.name,
        body.template,
        note=body.note,
        created_by=caller.holder.key_id,
        make_current=body.make_current,
    )
    return PromptRead.of(added)


@router.get("/{name}", responses=problems(NotFound))
async def get_prompt(name: Name, caller: Reader, session: Session) -> PromptRead:
    """Get the current version of a prompt."""
    found = await prompts.find(session, name)
    if found is None:
        raise NotFound("Prompt not found.")
    return PromptRead.of(found)


@router.get("/{name}/versions", responses=problems(NotFound))
async def list_prompt_versions(
    name: Name, caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50
) -> PromptVersionPage:
    """List all versions of a prompt, newest first, even if the prompt was deleted."""
    found = await PROMPTS.list_versions(session, name)
    if not found:
        raise NotFound("Prompt not found.")
    page, following = cut(found, lambda each: (each.version,), cursor, limit, newest_first=True)
    return PromptVersionPage(versions=[PromptRead.of(each) for each in page], next_cursor=following)


@router.get("/{name}/versions/{version}", responses=problems(NotFound))
async def get_prompt_version(name: Name, version: Number, caller: Reader, session: Session) -> PromptRead:
    """Get one version of a prompt, even if the prompt was deleted."""
    found = await PROMPTS.find(session, name, version)
    if found is None:
        raise NotFound("Prompt version not found.")
    return PromptRead.of(found)


@router.put("/{name}/current", responses=problems(NotFound))
async def use_prompt_version(name: Name, body: UseVersion, caller: Admin, session: Session) -> PromptRead:
    """Make this version the current one. This also restores a deleted prompt."""
    _check_whole_tenant(caller)
    return PromptRead.of(await prompts.use(session, name, body.version))


@router.delete("/{name}", status_code=204, responses=problems(NotFound, StillInUse))
async def delete_prompt(name: Name, caller: Admin, session: Session) -> Response:
    """Delete a prompt. Its versions can still be fetched by number, because extractions refer to them."""
    _check_whole_tenant(caller)
    await prompts.remove(session, name)
    return Response(status_code=204)


def _check_whole_tenant(caller: Caller) -> None:
    if caller.scope.project_id is not None:
        raise Forbidden("This key is restricted to one project.")
