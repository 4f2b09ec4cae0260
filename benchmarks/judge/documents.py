"""The documents with known values that the judge learns from, in kinds that are left out together."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from evaluations.generated.make import kinds, write_kind

from benchmarks.quality import GENERATED, OWN_SETS, READY_SETS, SETS, Corpus, plan_of
from docsieve.domain.extraction import ExtractionSpec, Material
from docsieve.domain.pages.pagefile import pages_in
from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.datasets import Sample
from docsieve.evaluation.evaluate import Plan
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Judge
from docsieve.offline.session import OfflineSession

KINDS = {
    "kie_sroie": "receipts", "kie_sroie-receipt": "receipts", "kie_wildreceipt-receipt": "receipts",
    "kie_zugferd-invoice": "invoices", "kie_wildreceipt": "receipts", "receipt": "receipts", "kie_zugferd": "invoices",
    "kie_invoice2data": "invoices", "invoice": "invoices", "kie_azure_tax": "tax forms", "w2": "tax forms",
    "form1099": "tax forms", "nda": "contracts", "lease": "contracts", "service": "contracts",
    "kie_adbuy": "ad contracts", "schema_docubench": "mixed", "schema_extract_bench": "reports",
}  # fmt: skip
"""Sets of one kind. Every other set is a kind of its own, and sets whose names end in -kept or -ready teach nothing."""

TAUGHT = tuple(
    corpus for corpus in (*SETS, *READY_SETS, *OWN_SETS) if corpus.folder != GENERATED or corpus.name in kinds()
)


@dataclass(frozen=True, slots=True)
class Document:
    kind: str
    dataset: str
    sample: Sample
    schema: Schema
    material: Material
    sameness: Sameness
    closed: bool

    @property
    def says_what_is_absent(self) -> bool:
        """Generated truths have a null for each field that the document does not show."""
        return self.closed or self.dataset in kinds()

    @property
    def judge(self) -> Judge:
        return Judge(self.schema, self.sameness, closed=self.closed)


async def read_documents(session: OfflineSession, chosen: tuple[Corpus, ...] = TAUGHT) -> AsyncIterator[Document]:
    for corpus in chosen:
        if corpus.folder == GENERATED:
            write_kind(corpus.name, GENERATED)
        plan = plan_of(corpus, ExtractionSpec({}, "local"))
        sameness = _sameness(plan)
        for sample, schema in zip(plan.samples, plan.schemas, strict=True):
            file = await session.read(sample.path, lambda _: None)
            about = file.about
            material = Material(sample.name, list(pages_in(Path(file.pages))), about.language, about.document_class)
            kind = KINDS.get(corpus.name, corpus.name)
            yield Document(kind, corpus.name, sample, schema, material, sameness, plan.closed)


def _sameness(plan: Plan) -> Sameness:
    return Sameness(plan.schemas, [sample.truth for sample in plan.samples], ignore_spaces=plan.ignore_spaces)
