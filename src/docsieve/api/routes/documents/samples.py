"""Sample documents to try Docsieve with."""

from pydantic import Field

from docsieve.api.access import Reader, Resources, Writer
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.api.wire.documents.document import DocumentRead
from docsieve.errors import UnknownProject, UnknownSample
from docsieve.services import samples

router = Router(prefix="/samples", tags=["samples"], responses=COMMON)


class SampleRead(Wire):
    name: str
    title: str
    filename: str
    media_type: str
    schema_ref: str = Field(alias="schema", description="The built-in schema it is uploaded with.")
    description: str


class SamplePage(ListPage):
    samples: list[SampleRead]


class SamplesAdd(Body):
    names: list[Text] | None = Field(None, max_length=100, description="Names of the samples to add. Defaults to all.")
    project: Name | None = None


class SamplesAdded(Wire):
    documents: list[DocumentRead]


@router.get("", response_model=SamplePage)
async def list_samples(caller: Reader, cursor: SortedCursor = None, limit: Limit = 50) -> SamplePage:
    """List the samples that `POST /samples` can add."""
    page, following = cut(enumerate(samples.SAMPLES.values()), lambda numbered: (numbered[0],), cursor, limit)
    return SamplePage(samples=[SampleRead.model_validate(each) for _, each in page], next_cursor=following)


@router.post("", response_model=SamplesAdded, responses=problems(UnknownSample, UnknownProject))
async def add_samples(body: SamplesAdd, caller: Writer, resources: Resources) -> SamplesAdded:
    """Upload samples, each with its schema. Samples that the project already has are returned unchanged."""
    added = await samples.add(resources, caller.holder, names=body.names, project=body.project)
    return SamplesAdded(documents=[DocumentRead.model_validate(each) for each in added])
