"""The engines of this server."""

from pydantic import Field

from docsieve.api.access import Reader, Resources, Session
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.api.wire.documents import ListPage, Wire
from docsieve.services import engines

router = Router(prefix="/engines", tags=["extractions"], responses=COMMON)


class EngineRead(Wire):
    name: str = Field(description="as uploads, projects and extractions name it")
    title: str
    description: str
    available: bool = Field(description="whether it can be used with what is configured")
    why_not: str | None = Field(description="in words, where it cannot")
    remote: bool = Field(description="whether it asks somebody outside of this server")


class EnginePage(ListPage):
    engines: list[EngineRead]


@router.get("", response_model=EnginePage)
async def list_engines(
    caller: Reader, session: Session, resources: Resources, cursor: SortedCursor = None, limit: Limit = 50
) -> EnginePage:
    """All that a project, an upload or an extraction may name, the default one first."""
    listed = enumerate(await engines.list_engines(session, resources.settings))
    page, following = cut(listed, lambda numbered: (numbered[0],), cursor, limit)
    return EnginePage(engines=[EngineRead.model_validate(each) for _, each in page], next_cursor=following)
