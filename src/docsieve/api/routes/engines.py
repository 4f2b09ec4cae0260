"""The extraction engines of this server."""

from pydantic import Field

from docsieve.api.access import Reader, Resources, Session
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.api.wire.base import ListPage, Wire
from docsieve.services import engines
from docsieve.services.engines import EngineStatus

router = Router(prefix="/engines", tags=["extractions"], responses=COMMON)


class EngineRead(Wire):
    name: str = Field(description="Name to use in uploads, projects and extractions.")
    title: str
    description: str
    available: bool = Field(description="Whether the current configuration allows its use.")
    why_not: str | None = Field(description="Why it is not available.")
    remote: bool = Field(description="Whether it sends data to an external provider.")

    @classmethod
    def of(cls, engine: EngineStatus) -> "EngineRead":
        about = engine.about
        return cls(
            name=about.name,
            title=about.title,
            description=about.description,
            available=engine.why_not is None,
            why_not=engine.why_not,
            remote=about.calls_out,
        )


class EnginePage(ListPage):
    engines: list[EngineRead]


@router.get("", response_model=EnginePage)
async def list_engines(
    caller: Reader, session: Session, resources: Resources, cursor: SortedCursor = None, limit: Limit = 50
) -> EnginePage:
    """List the engines that projects, uploads and extractions can use, with the default first."""
    listed = enumerate(await engines.list_engines(session, resources.settings))
    page, following = cut(listed, lambda numbered: (numbered[0],), cursor, limit)
    return EnginePage(engines=[EngineRead.of(each) for _, each in page], next_cursor=following)
