"""Only documents that are as asked."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from docsieve.db.index import search as index
from tests.services.index.library import Library, page


@pytest.fixture(params=["few documents", "many documents"])
def how_many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are searched by their ids, many by the conditions themselves."""
    if request.param == "many documents":
        monkeypatch.setattr(index, "_FEW_DOCUMENTS", 0)


@pytest.mark.usefixtures("how_many")
async def test_results_are_only_of_documents_that_match_every_filter(library: Library) -> None:
    side = await library.project("side")
    now = datetime.now(UTC)
    first = await library.add(page("A lighthouse."), filename="first", metadata='{"case": 7, "tags": ["x", "y"]}')
    second = await library.add(
        page("A lighthouse too."), project_id=side, media_type="application/pdf", **{"class": "letter"}
    )
    third = await library.add(page("Ein Leuchtturm, lighthouse."), language="de", created_at=now - timedelta(days=9))

    async def found(**filters: object) -> set[UUID]:
        return set(await library.found("lighthouse", **filters))

    assert await found() == {first, second, third}
    assert await found(project="side") == {second}
    assert await found(project="nowhere") == set()
    assert await found(document_class="letter") == {second}
    assert await found(media_type="application/pdf") == {second}
    assert await found(language="de") == {third}
    assert await found(created_from=now - timedelta(days=1)) == {first, second}
    assert await found(created_to=now - timedelta(days=1)) == {third}
    assert await found(metadata={"tags": ["y"]}) == {first}
    assert await found(metadata={"case": 8}) == set()
    assert await found(document_id=third) == {third}
    assert await found(project="side", language="de") == set()
