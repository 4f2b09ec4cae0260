"""Chooses the schema of an extraction by the class of its documents."""

from collections.abc import Sequence
from dataclasses import replace

from docsieve.db.access.projects import Project
from docsieve.db.connection.session import Session
from docsieve.domain.classes import UNCERTAIN_BELOW, Classification
from docsieve.domain.extraction import ExtractionSpec
from docsieve.errors.extractions import ClassUncertain, ClassWithoutSchema
from docsieve.services.definitions import schemas


async def settle_by_class(
    session: Session, project: Project, spec: ExtractionSpec, documents: Sequence[Classification]
) -> ExtractionSpec:
    """The specification with the schema that the project assigns to the class of its documents.

    Of several documents, the first one that has a schema decides. Raises ClassUncertain or ClassWithoutSchema about
    the first document if none has, and UnknownSchema.
    """
    for document in documents:
        schema_ref = project.class_schemas.get(document.name)
        if schema_ref is not None and document.confidence >= UNCERTAIN_BELOW:
            name, version, schema = await schemas.resolve(session, schema_ref)
            return replace(spec, schema_name=name, schema_version=version, schema=schema)
    first = documents[0]
    if first.name not in project.class_schemas:
        raise ClassWithoutSchema(f"Project {project.name} assigns no schema to the class {first.name}.")
    raise ClassUncertain(
        f"The class {first.name} has a confidence of {first.confidence:.2f}. To choose a schema by it, it must be at "
        f"least {UNCERTAIN_BELOW}."
    )
