"""Learns a tenant's schema from corrected and verified extractions, and activates the lessons if they help."""

from collections.abc import Sequence
from functools import partial

from docsieve.db.connection.session import Session
from docsieve.db.documents import rows as document_rows
from docsieve.db.extractions import lessons
from docsieve.db.extractions.documents import DocumentPart
from docsieve.db.extractions.lessons import NewLessons
from docsieve.disk import needing_room
from docsieve.domain.pages.page import Progress
from docsieve.engines.registry import learning_engines
from docsieve.errors import BlobMissing, PagesDamaged
from docsieve.logs import get_logger
from docsieve.pipelines.workdir import WorkDir, WorkDirs
from docsieve.queue.kinds import Attempt, Closing
from docsieve.resources import Resources
from docsieve.sandbox.paths import InputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.services.review.examples import ExampleDocuments, Learn, gather, learn_soon
from docsieve.services.stored_files import download_pages
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.learn import LearnLessons, TeachingExample

log = get_logger()

MIN_EXAMPLES = 2
"""With fewer, none could be held back to see whether the lessons help."""


class LearnHandler:
    def __init__(self, resources: Resources, sandbox: Sandbox, workdirs: WorkDirs) -> None:
        self._resources = resources
        self._sandbox = sandbox
        self._workdirs = workdirs

    async def __call__(self, args: Learn, attempt: Attempt) -> Closing:
        async def look_up() -> tuple[list[ExampleDocuments], int]:
            async with self._resources.database.tenant(attempt.scope) as session:
                seen = await lessons.count_teaching(session, args.schema_name)
                return await gather(session, args.schema_name), seen

        examples, seen = await self._resources.persist(look_up)
        if len(examples) < MIN_EXAMPLES:
            return partial(lessons.retire, schema_name=args.schema_name)
        with needing_room(self._resources.settings), self._workdirs.new() as work:
            teaching = await self._fetch_all(examples, work, attempt)
            learned = [await self._learn(engine, args.schema_name, teaching, attempt) for engine in learning_engines()]

        async def close(session: Session) -> None:
            if await self._any_deleted(session, examples):
                await lessons.retire(session, args.schema_name)
                await learn_soon(session, args.schema_name)
                return
            for new in learned:
                version = await lessons.add(session, new)
                log.info(
                    "lessons_learned", engine=new.engine, examples=new.examples, version=version, in_use=new.better
                )
            if await lessons.count_teaching(session, args.schema_name) != seen:
                await learn_soon(session, args.schema_name)

        return close

    async def _any_deleted(self, session: Session, examples: Sequence[ExampleDocuments]) -> bool:
        """Whether one of them was deleted meanwhile. Lessons may quote it, so they are learned again without it."""
        seen = {part.id for example in examples for part in example.documents}
        return len(await document_rows.projects_of(session, list(seen))) < len(seen)

    async def _learn(
        self, engine: str, schema_name: str, teaching: Sequence[TeachingExample], attempt: Attempt
    ) -> NewLessons:
        found = await self._sandbox.run(LearnLessons(engine, tuple(teaching)), on_progress=attempt.report)
        return NewLessons(
            schema_name=schema_name,
            engine=engine,
            engine_version=found.engine_version,
            lessons=found.lessons,
            examples=len(teaching),
            held_back_leaves=found.leaves,
            score_trained=found.trained,
            score_untrained=found.untrained,
        )

    async def _fetch_all(
        self, examples: Sequence[ExampleDocuments], work: WorkDir, attempt: Attempt
    ) -> list[TeachingExample]:
        attempt.report(Progress("fetching"))
        teaching: list[TeachingExample] = []
        for example in examples:
            try:
                documents = [await self._fetch(part, work) for part in example.documents]
            except (BlobMissing, PagesDamaged):
                continue  # deleted since, or to be read again; the other examples are enough
            teaching.append(
                TeachingExample(tuple(documents), example.schema, example.known, example.spots, example.whole)
            )
        return teaching

    async def _fetch(self, part: DocumentPart, work: WorkDir) -> SourceDocument:
        assert part.pages_key is not None
        pages = InputPath(work.path / f"pages-{part.id}")
        await download_pages(self._resources.blobs, part.pages_key, pages)
        return SourceDocument(str(part.id), pages, part.language, part.document_class)
