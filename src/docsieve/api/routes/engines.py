"""The engines of this server."""

from pydantic import Field

from docsieve.api.access import Reader, Resources, Session
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.api.wire import Wire
from docsieve.services import engines
from docsieve.services.engines import EngineFacts

router = Router(prefix="/engines", tags=["extractions"], responses=COMMON)


class EngineRead(Wire):
    name: str = Field(description="as uploads, projects and extractions name it")
    title: str
    description: str
    available: bool = Field(description="whether it can be used with what is configured")
    why_not: str | None = Field(description="in words, where it cannot")
    remote: bool = Field(description="whether it asks somebody outside of this server")


@router.get("", response_model=list[EngineRead])
async def list_engines(caller: Reader, session: Session, resources: Resources) -> list[EngineFacts]:
    """All that a project, an upload or an extraction may name, the default one first."""
    return await engines.list_engines(session, resources.settings)
