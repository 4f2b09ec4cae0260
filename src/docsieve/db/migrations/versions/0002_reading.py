"""How a document was read and what it turned out to be, and documents that came inside others."""

from docsieve.db.migrations.runner import run_script

revision = "0002"
down_revision = "0001"

# `reading` is what the sender wished about it: the parser, the languages, whether attachments become documents.
DOCUMENTS = """
alter table documents
    add column parent_id uuid references documents on delete cascade,
    add column parent_path text,
    add column depth smallint not null default 0,
    add column reading jsonb not null default '{}',
    add column parser text,
    add column parser_version text,
    add column read_cached boolean,
    add column language text,
    add column class text,
    add column class_confidence double precision;
create index documents_by_parent on documents (parent_id) where parent_id is not null;
create index documents_by_class on documents (tenant_id, class, id desc) where class is not null;
"""


def upgrade() -> None:
    run_script(DOCUMENTS)
