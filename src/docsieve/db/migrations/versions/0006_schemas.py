"""Schemas and prompts in numbered versions, and what a project does with its documents unless told otherwise."""

from docsieve.db.migrations.runner import run_script

revision = "0006"
down_revision = "0005"

# A version never changes: the role of requests may not update it. Which one is current stands in the heads, whose row
# is also the lock that gives two writers two numbers. Version 0 is the one that ships with the product. A deleted name
# keeps its rows, so that what was extracted by them can still be explained, and so that no number is used twice.
# A schema is json and not jsonb, which would not keep the order of its fields.
VERSIONED = """
create table {noun}_heads (
    tenant_id uuid not null references tenants on delete cascade,
    name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{{0,62}}$'),
    current_version integer not null default 0 check (current_version between 0 and newest_version),
    newest_version integer not null default 0,
    deleted_at timestamptz,
    primary key (tenant_id, name)
);

create table {noun}s (
    tenant_id uuid not null,
    name text not null,
    version integer not null check (version > 0),
    content {type} not null,
    note text,
    created_at timestamptz not null default clock_timestamp(),
    created_by text,
    primary key (tenant_id, name, version),
    foreign key (tenant_id, name) references {noun}_heads on delete cascade
);
"""

WALL = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_wall on {table} to docsieve_app using (tenant_id = scope_tenant());
create policy system_work on {table} to docsieve_system using (true) with check (true);
grant {rights} on {table} to docsieve_app;
"""

# null: as the tenant, the server or the schema has it
DEFAULTS = """
alter table projects
    add column schema_ref text,
    add column engine text,
    add column model text,
    add column prompt_ref text,
    add column threshold double precision check (threshold between 0 and 1),
    add column budget_usd numeric(14, 4) check (budget_usd >= 0);
alter table tenants
    add column budget_usd numeric(14, 4) check (budget_usd >= 0);
"""


def upgrade() -> None:
    for noun, content in (("schema", "json"), ("prompt", "text")):
        run_script(VERSIONED.format(noun=noun, type=content))
        run_script(WALL.format(table=f"{noun}_heads", rights="select, insert, update"))
        run_script(WALL.format(table=f"{noun}s", rights="select, insert"))
    run_script(DEFAULTS)
