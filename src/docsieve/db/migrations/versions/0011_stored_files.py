"""When the files of a document were last compared with what was written, and whether its original is damaged."""

from docsieve.db.migrations.runner import run_script

revision = "0011"
down_revision = "0010"

STORED_FILES = """
alter table documents
    add column files_checked_at timestamptz,
    add column original_damaged boolean not null default false;
create index documents_by_check on documents (coalesce(files_checked_at, created_at)) where status = 'ready';
create index documents_with_damaged_original on documents (id) where original_damaged;
"""


def upgrade() -> None:
    run_script(STORED_FILES)
