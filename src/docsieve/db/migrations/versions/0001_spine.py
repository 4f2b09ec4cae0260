"""Tenants, projects, keys, documents, jobs, and the walls between tenants."""

from docsieve.db.migrations.runner import run_script

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# docsieve_app is what requests and job handlers become for one transaction: row-level security shows it one tenant.
# docsieve_system marks the login role, which claims, rescues and sweeps for all tenants.
# Roles belong to the whole server: an owner without the power to make or grant them finds them made and granted.
ROLES = """
do $$
declare
    wanted text;
begin
    foreach wanted in array array['docsieve_app', 'docsieve_system'] loop
        if not exists (select from pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin', wanted);
            exception
                when duplicate_object or unique_violation then null;
                when insufficient_privilege then
                    raise insufficient_privilege using message = format(
                        'An administrator must run: create role %1$I nologin; grant %1$I to %2$I',
                        wanted, current_user);
            end;
        end if;
        begin
            execute format('grant %I to current_user', wanted);
        exception when insufficient_privilege then
            if not pg_has_role(current_user, wanted, 'usage') then
                raise insufficient_privilege using message = format(
                    'An administrator must run: grant %I to %I', wanted, current_user);
            end if;
        end;
    end loop;
end $$;
grant usage on schema public to docsieve_app;
"""

EXTENSIONS = """
create extension if not exists vector;
create extension if not exists pg_trgm;
"""

TENANTS = """
create table tenants (
    id uuid primary key,
    name text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    weight double precision not null default 1 check (weight > 0),
    created_at timestamptz not null default clock_timestamp()
);

create table projects (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    created_at timestamptz not null default clock_timestamp(),
    unique (tenant_id, name)
);

create table api_keys (
    id text primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid references projects on delete cascade,
    name text not null,
    secret_hash bytea not null,
    scopes text[] not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz
);
create index api_keys_by_tenant on api_keys (tenant_id, created_at);
"""

DOCUMENTS = """
create table documents (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null references projects,
    job_id uuid,
    filename text not null,
    media_type text not null,
    size bigint not null,
    sha256 text not null,
    status text not null default 'pending'
        check (status in ('pending', 'processing', 'ready', 'failed', 'cancelled')),
    schema_ref text,
    engine text,
    webhook_url text,
    metadata jsonb not null default '{}',
    sealed_password bytea,
    duplicate_of uuid,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    error_code text,
    error_message text,
    -- What reading produced; written only in the transaction that ends the job, by the attempt named here.
    page_count integer,
    pages_key text,
    pages_failed integer,
    characters bigint,
    read_by_job uuid,
    read_by_attempt integer,
    read_at timestamptz
);
create index documents_by_tenant on documents (tenant_id, id desc);
create index documents_by_content on documents (tenant_id, sha256);
create index documents_by_project on documents (project_id);
create index documents_by_name on documents using gin (filename gin_trgm_ops);

create table idempotency_keys (
    tenant_id uuid not null,
    key text not null,
    fingerprint text not null,
    document_id uuid not null references documents on delete cascade,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, key)
);
create index idempotency_keys_by_document on idempotency_keys (document_id);
create index idempotency_keys_by_age on idempotency_keys (created_at);
"""

# Every index here is paid for on each of a job's three writes, so each has one named use.
JOBS = """
create table jobs (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid,
    document_id uuid references documents on delete cascade,
    kind text not null,
    args jsonb not null,
    queue text not null,
    priority integer not null default 0,
    turn double precision not null,
    status text not null
        check (status in ('scheduled', 'pending', 'processing', 'completed', 'failed', 'cancelled')),
    attempts integer not null default 0,
    max_attempts integer not null,
    rescues integer not null default 0,
    worker_id text,
    locked_at timestamptz,
    lock_expires_at timestamptz,
    run_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    started_at timestamptz,
    completed_at timestamptz,
    processing_time_ms bigint,
    error_code text,
    error_message text,
    error_details jsonb,
    cancel_requested boolean not null default false,
    unique_key text,
    progress jsonb
) with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.2,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0
);
-- claiming: matches its ORDER BY exactly
create index jobs_ready on jobs (queue, priority desc, turn, id) where status = 'pending';
-- the fair turn of a tenant's next job
create index jobs_turns on jobs (queue, tenant_id, priority, turn) where status = 'pending';
-- rescue; on the id, so that a heartbeat changes no index
create index jobs_leased on jobs (id) where status = 'processing';
-- promotion of delayed jobs
create index jobs_scheduled on jobs (run_at) where status = 'scheduled';
-- listing and counting
create index jobs_by_tenant on jobs (tenant_id, status, id desc);
create index jobs_by_document on jobs (document_id, id desc) where document_id is not null;
create unique index jobs_unique on jobs (tenant_id, kind, unique_key)
    where unique_key is not null and status in ('scheduled', 'pending', 'processing');
"""

# Both functions look across tenants, which the caller's role may not: they answer with one number each.
FUNCTIONS = """
create function next_turn(in_queue text, in_priority integer, in_tenant uuid, in_step double precision)
returns double precision
language sql stable security definer set search_path = public, pg_temp as $$
    select greatest(
        coalesce((
            select turn from jobs
            where queue = in_queue and status = 'pending' and priority = in_priority
            order by turn, id limit 1), 0),
        coalesce((
            select turn + in_step from jobs
            where queue = in_queue and status = 'pending' and priority = in_priority and tenant_id = in_tenant
            order by turn desc limit 1), 0))
$$;

create function queue_position(in_job uuid, at_most integer) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
    select case when me.status = 'pending' then (
        select count(*) from (
            select 1 from jobs ahead
            where ahead.queue = me.queue and ahead.status = 'pending' and ahead.priority >= me.priority
              and (ahead.priority > me.priority or (ahead.turn, ahead.id) <= (me.turn, me.id))
            limit at_most) as counted)
    end
    from jobs me where me.id = in_job
$$;
"""

# A document follows its current job in the job's own transaction, whoever moved the job: a worker, a rescue, a cancel.
FOLLOW = """
create function document_follows_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update documents set
        status = case new.status when 'completed' then 'ready' when 'scheduled' then 'pending' else new.status end,
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        updated_at = clock_timestamp()
    where id = new.document_id and job_id = new.id;
    return null;
end $$;

create trigger document_follows_job after update of status on jobs
for each row when (new.document_id is not null and new.status is distinct from old.status)
execute function document_follows_job();
"""

WALLS = """
create function scope_tenant() returns uuid language sql stable as
$$ select nullif(current_setting('docsieve.tenant_id', true), '')::uuid $$;
create function scope_project() returns uuid language sql stable as
$$ select nullif(current_setting('docsieve.project_id', true), '')::uuid $$;
"""

# An upload in one round trip; a transaction of several would cost the database and the API twice as much. The function
# belongs to docsieve_app, so it runs as that role behind the tenant's wall, like any other request. Its job is inserted
# as by `db/queue/jobs.py`, for one row.
ACCEPT = """
create function accept_document(
    in_tenant uuid, in_scope_project uuid, in_project text, in_document uuid, in_filename text, in_media_type text,
    in_size bigint, in_sha256 text, in_schema_ref text, in_engine text, in_webhook_url text, in_metadata jsonb,
    in_sealed_password bytea, in_job uuid, in_kind text, in_args jsonb, in_queue text, in_priority integer,
    in_max_attempts integer, in_key text, in_fingerprint text,
    out project text, out metadata jsonb, out duplicate_of uuid, out created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    chosen uuid;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    select projects.id, projects.name into chosen, project from projects
    where tenant_id = in_tenant and (name = in_project or in_project is null and id = in_scope_project);
    if not found then
        return;
    end if;
    created_at := clock_timestamp();
    insert into documents (id, tenant_id, project_id, job_id, filename, media_type, size, sha256, schema_ref, engine,
                           webhook_url, metadata, sealed_password, created_at, updated_at, duplicate_of)
    values (in_document, in_tenant, chosen, in_job, in_filename, in_media_type, in_size, in_sha256, in_schema_ref,
            in_engine, in_webhook_url, in_metadata, in_sealed_password, accept_document.created_at,
            accept_document.created_at,
            (select id from documents where tenant_id = in_tenant and sha256 = in_sha256 order by id limit 1))
    returning documents.metadata, documents.duplicate_of into metadata, duplicate_of;
    if in_key is not null then
        -- waits for a transaction that is claiming the same key, and finds nothing to do if that one committed
        insert into idempotency_keys (tenant_id, key, fingerprint, document_id)
        values (in_tenant, in_key, in_fingerprint, in_document) on conflict do nothing;
        if not found then
            raise exception using errcode = 'DS409', message = 'this Idempotency-Key was used before';
        end if;
    end if;
    insert into jobs (id, tenant_id, project_id, document_id, kind, args, queue, priority, max_attempts, turn, status)
    select in_job, in_tenant, chosen, in_document, in_kind, in_args, in_queue, in_priority, in_max_attempts,
           next_turn(in_queue, in_priority, in_tenant, 1 / weight), 'pending'
    from tenants where id = in_tenant;
end $$;
grant create on schema public to docsieve_app;
alter function accept_document owner to docsieve_app;
revoke create on schema public from docsieve_app;
"""

WALL = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_wall on {table} to docsieve_app using ({wall});
create policy system_work on {table} to docsieve_system using (true) with check (true);
grant {rights} on {table} to docsieve_app;
"""

TENANT_WALL = "tenant_id = scope_tenant()"
PROJECT_WALL = "tenant_id = scope_tenant() and (scope_project() is null or project_id = scope_project())"

WALLED = {
    "tenants": "id = scope_tenant()",
    "projects": "tenant_id = scope_tenant() and (scope_project() is null or id = scope_project())",
    "api_keys": PROJECT_WALL,
    "documents": PROJECT_WALL,
    "jobs": PROJECT_WALL,
    "idempotency_keys": TENANT_WALL,
}


def upgrade() -> None:
    for part in (ROLES, EXTENSIONS, TENANTS, DOCUMENTS, JOBS, FUNCTIONS, FOLLOW, WALLS):
        run_script(part)
    for table, wall in WALLED.items():
        rights = "select" if table == "tenants" else "select, insert, update, delete"
        run_script(WALL.format(table=table, wall=wall, rights=rights))
    run_script(ACCEPT)
