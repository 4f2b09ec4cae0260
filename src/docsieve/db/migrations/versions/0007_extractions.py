"""Extractions, their fields with evidence, what people corrected, and what the local engine learned from that."""

from docsieve.db.migrations.runner import run_script

revision = "0007"
down_revision = "0006"

# `json` and not `jsonb` for what has an order that its reader expects: the schema's own.
# `written_by_*` names the attempt whose result this is; it is written only in the transaction that ends the job.
EXTRACTIONS = """
create table extractions (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null references projects,
    job_id uuid not null,
    status text not null default 'pending'
        check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
    document_count integer not null check (document_count > 0),
    schema_name text,
    schema_version integer,
    schema json not null,
    prompt_name text,
    prompt_version integer,
    prompt text,
    engine text not null,
    engine_version text,
    model text,
    threshold double precision not null,
    use_cache boolean not null default true,
    shows text not null default 'text' check (shows in ('text', 'images', 'both')),
    lessons_version integer,
    value json,
    metadata json,
    usage jsonb,
    confidence double precision,
    needs_review boolean,
    client_metadata jsonb not null default '{}',
    error_code text,
    error_message text,
    verified_at timestamptz,
    verified_by text,
    created_at timestamptz not null default clock_timestamp(),
    completed_at timestamptz,
    written_by_job uuid,
    written_by_attempt integer,
    idempotency_key text,
    fingerprint text
);
create index extractions_by_tenant on extractions (tenant_id, id desc);
create index extractions_by_schema on extractions (tenant_id, schema_name, id desc);
create index extractions_by_project on extractions (project_id);
create index extractions_by_job on extractions (job_id);
create index extractions_verified on extractions (tenant_id, schema_name, verified_at) where verified_at is not null;
create index extractions_to_review on extractions (tenant_id, id desc) where needs_review;
create unique index extractions_by_key on extractions (tenant_id, idempotency_key) where idempotency_key is not null;

create table extraction_documents (
    extraction_id uuid not null references extractions on delete cascade,
    position integer not null,
    tenant_id uuid not null,
    project_id uuid not null,
    document_id uuid not null references documents on delete cascade,
    primary key (extraction_id, position)
);
create index extraction_documents_by_document on extraction_documents (document_id, extraction_id desc);
"""

# One row a leaf. `search` is its value as people would type it, folded and cut, so that equality finds it by an index.
FIELDS = """
create table document_fields (
    extraction_id uuid not null references extractions on delete cascade,
    ordinal integer not null,
    tenant_id uuid not null,
    project_id uuid not null,
    document_id uuid not null references documents on delete cascade,
    path text not null,
    pattern text not null,
    value jsonb,
    search text,
    confidence double precision not null,
    grounded boolean not null,
    evidence jsonb not null,
    checks jsonb not null,
    why text,
    needs_review boolean not null,
    primary key (extraction_id, ordinal)
);
create index document_fields_by_document on document_fields (document_id, extraction_id);
create index document_fields_by_value on document_fields (tenant_id, search, pattern) where search is not null;
-- review: the worst first
create index document_fields_to_review on document_fields (tenant_id, confidence, extraction_id, ordinal)
    where needs_review;
"""

CORRECTIONS = """
create table corrections (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null,
    extraction_id uuid not null references extractions on delete cascade,
    path text not null,
    pattern text not null,
    old_value jsonb,
    new_value jsonb,
    document_id uuid references documents on delete cascade,
    page integer,
    box double precision[],
    note text,
    made_by text not null,
    made_at timestamptz not null default clock_timestamp()
);
create index corrections_by_extraction on corrections (extraction_id, id);

create table lessons (
    tenant_id uuid not null references tenants on delete cascade,
    schema_name text not null,
    version integer not null,
    engine text not null,
    engine_version text not null,
    lessons jsonb not null,
    examples integer not null,
    held_back_leaves integer not null,
    score_trained double precision not null,
    score_untrained double precision not null,
    active boolean not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, schema_name, version)
);
create unique index lessons_active on lessons (tenant_id, schema_name) where active;
"""

# An extraction follows the job that performs it, as a document follows its own. One that came with the reading of an
# upload is written with its end and follows nobody.
FOLLOW = """
create function extraction_follows_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update extractions set
        status = case new.status when 'scheduled' then 'pending' else new.status end,
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        completed_at = case when new.status in ('completed', 'failed', 'cancelled') then clock_timestamp() end
    where job_id = new.id;
    return null;
end $$;

create trigger extraction_follows_job after update of status on jobs
for each row when (new.kind = 'extract_fields' and new.status is distinct from old.status)
execute function extraction_follows_job();

create function extraction_goes_with_its_last_document() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from extractions
    where id in (select extraction_id from gone)
      and not exists (select from extraction_documents as kept where kept.extraction_id = extractions.id);
    return null;
end $$;

create trigger extraction_goes_with_its_last_document after delete on extraction_documents
referencing old table as gone
for each statement execute function extraction_goes_with_its_last_document();
"""

WALL = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_wall on {table} to docsieve_app using ({wall});
create policy system_work on {table} to docsieve_system using (true) with check (true);
grant {rights} on {table} to docsieve_app;
"""

TENANT_WALL = "tenant_id = (select scope_tenant())"
PROJECT_WALL = """tenant_id = (select scope_tenant())
    and ((select scope_project()) is null or project_id = (select scope_project()))"""

# Corrections are added and never changed; they go with their extraction.
WALLED = {
    "extractions": (PROJECT_WALL, "select, insert, update, delete"),
    "extraction_documents": (PROJECT_WALL, "select, insert, update, delete"),
    "document_fields": (PROJECT_WALL, "select, insert, update, delete"),
    "corrections": (PROJECT_WALL, "select, insert"),
    "lessons": (TENANT_WALL, "select, insert, update, delete"),
}


def upgrade() -> None:
    for part in (EXTRACTIONS, FIELDS, CORRECTIONS, FOLLOW):
        run_script(part)
    for table, (wall, rights) in WALLED.items():
        run_script(WALL.format(table=table, wall=wall, rights=rights))
