"""A tenant's own kinds of document, by name and description."""

from docsieve.db.migrations.runner import run_script

revision = "0004"
down_revision = "0003"

CLASSES = """
create table document_classes (
    tenant_id uuid not null references tenants on delete cascade,
    name text not null,
    description text not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, name)
);
alter table document_classes enable row level security;
alter table document_classes force row level security;
create policy tenant_wall on document_classes to docsieve_app using (tenant_id = scope_tenant());
create policy system_work on document_classes to docsieve_system using (true) with check (true);
grant select, insert, update, delete on document_classes to docsieve_app;
"""


def upgrade() -> None:
    run_script(CLASSES)
