"""Whether a leaf needs review is decided once: what was stored by two rules that disagreed is put right."""

from docsieve.db.migrations.runner import run_script

revision = "0012"
down_revision = "0011"

# Extractions counted empty optional fields that a failed rule is about, and their rows did not: such an extraction
# needed review for ever, and the queue was empty.
ROWS = """
update document_fields as its set needs_review = true
from extractions
where extractions.id = its.extraction_id and extractions.needs_review and extractions.verified_at is null
  and not its.needs_review and its.checks @> '[{"passed": false}]'
  and not exists (
    select from corrections as act where act.extraction_id = its.extraction_id and act.path = its.path
      and act.action <> 'undo' and not exists (select from corrections as undo where undo.undoes = act.id));

update extractions set needs_review = false
where needs_review and not exists (
    select from document_fields as its where its.extraction_id = extractions.id and its.needs_review);
"""

# Of leaves that a person has settled, the rows no longer tell what they needed before; that is worked out again, by the
# extraction's own threshold, for the case that the decision is taken back.
METADATA = """
update extractions set metadata = (
    select coalesce(json_object_agg(leaf.key, (leaf.value::jsonb || jsonb_build_object('needs_review',
        its.needs_review is true or (
            (extractions.verified_at is not null or exists (
                select from corrections as act
                where act.extraction_id = extractions.id and act.path = leaf.key and act.action <> 'undo'))
            and (its.checks @> '[{"passed": false}]'
                or (its.value <> 'null' and its.confidence < extractions.threshold))) is true
        ))::json order by its.ordinal), '{}')
    from json_each(extractions.metadata) as leaf
    left join document_fields as its on its.extraction_id = extractions.id and its.path = leaf.key)
where metadata is not null;
"""


def upgrade() -> None:
    run_script(ROWS)
    run_script(METADATA)
