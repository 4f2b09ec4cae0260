"""The history of attempts, what a document shows of its newest extraction, and reviewing that can be taken back."""

from docsieve.db.migrations.runner import run_script

revision = "0010"
down_revision = "0009"

# One place that nobody can forget: whoever takes a job out of `processing`, a worker, a cancel or a rescue, writes its
# history in the same transaction. A job that belongs to no document pays for one comparison.
# The newest 50 of a job are kept: one that waits for a provider may be handed back hundreds of times.
ATTEMPTS = """
alter table jobs add column stages jsonb;

create table attempts (
    job_id uuid not null references jobs on delete cascade,
    started_at timestamptz not null,
    tenant_id uuid not null,
    project_id uuid,
    attempt integer not null,
    worker_id text,
    outcome text not null
        check (outcome in ('completed', 'failed', 'retried', 'cancelled', 'rescued', 'handed_back')),
    ended_at timestamptz not null,
    error_code text,
    error_message text,
    stages jsonb not null default '[]',
    primary key (job_id, started_at)
);

create function attempt_goes_into_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into attempts (job_id, started_at, tenant_id, project_id, attempt, worker_id, outcome, ended_at,
                          error_code, error_message, stages)
    values (old.id, old.started_at, old.tenant_id, old.project_id, old.attempts, old.worker_id,
            case when new.rescues > old.rescues then 'rescued'
                 when new.status in ('completed', 'failed', 'cancelled') then new.status
                 when new.attempts < old.attempts then 'handed_back'
                 else 'retried' end,
            clock_timestamp(),
            case when new.attempts >= old.attempts then new.error_code end,
            case when new.attempts >= old.attempts then new.error_message end,
            coalesce(new.stages, old.stages, '[]'))
    on conflict do nothing;
    delete from attempts
    where job_id = old.id and started_at < (
        select started_at from attempts where job_id = old.id order by started_at desc offset 49 limit 1);
    return null;
end $$;

create trigger attempt_goes_into_history after update of status on jobs
for each row when (
    old.status = 'processing' and new.status <> 'processing' and old.started_at is not null
    and (new.document_id is not null or new.kind = 'extract_fields'))
execute function attempt_goes_into_history();
"""

# Lists are sorted and narrowed by these, so they stand on the document itself. `sort_name` is a column because behind
# the tenant's wall no index is read by a function that might tell of others' rows. The ids are compared in one order by
# all, so that two extractions over the same documents never wait for each other.
SHOWN = """
alter table documents add column newest_extraction uuid, add column confidence double precision,
    add column needs_review boolean, add column sort_name text generated always as (lower(filename)) stored;
alter table extractions add column superseded boolean not null default false;

create function document_shows_newest_extraction() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update documents set newest_extraction = new.id, confidence = new.confidence, needs_review = new.needs_review
    where id = any(array(
            select document_id from extraction_documents where extraction_id = new.id order by document_id))
      and (newest_extraction is null or newest_extraction <= new.id);
    -- Of several with one schema over the same documents, only the newest is worth a person's review.
    update extractions set superseded = true where id = any(array(
        select older.id from extractions as older join extraction_documents as its on its.extraction_id = older.id
        where its.document_id in (select document_id from extraction_documents where extraction_id = new.id)
          and older.id < new.id and older.status = 'completed' and not older.superseded
          and older.tenant_id = new.tenant_id and older.schema_name = new.schema_name
          and not exists (
            select from extraction_documents as others where others.extraction_id = older.id and others.document_id
                not in (select document_id from extraction_documents where extraction_id = new.id))
        order by older.id for update of older));
    return null;
end $$;

create trigger document_shows_newest_extraction after update of status, confidence, needs_review on extractions
for each row when (
    new.status = 'completed' and new.confidence is not null
    and (old.status, old.confidence, old.needs_review)
        is distinct from (new.status, new.confidence, new.needs_review))
execute function document_shows_newest_extraction();

update documents set newest_extraction = newest.id, confidence = newest.confidence, needs_review = newest.needs_review
from (
    select distinct on (its.document_id) its.document_id, extractions.id, extractions.confidence, needs_review
    from extraction_documents as its join extractions on extractions.id = its.extraction_id
    where extractions.status = 'completed'
    order by its.document_id, extractions.id desc) as newest
where documents.id = newest.document_id;

create index documents_by_sorted_name on documents (tenant_id, sort_name, id);
create index documents_by_size on documents (tenant_id, size, id);
"""

# Still added and never changed: taking one back is a row of its own, which names the one that it undoes.
ACTS = """
alter table corrections
    add column action text not null default 'correct' check (action in ('correct', 'accept', 'undo')),
    add column undoes uuid references corrections on delete cascade,
    add column made_by_name text,
    add check ((action = 'undo') = (undoes is not null));
create unique index corrections_undone on corrections (undoes) where undoes is not null;
update corrections set made_by_name = api_keys.name from api_keys
where api_keys.id = made_by and api_keys.tenant_id = corrections.tenant_id;
"""

# As newer tables have it: asked for once in a statement and not once for each row, which is most of what it costs to
# count a hundred thousand documents.
WALLS_ASKED_ONCE = """
alter policy tenant_wall on documents using (
    tenant_id = (select scope_tenant())
    and ((select scope_project()) is null or project_id = (select scope_project())));
alter policy tenant_wall on jobs using (
    tenant_id = (select scope_tenant())
    and ((select scope_project()) is null or project_id = (select scope_project())));
"""

WALL = """
alter table attempts enable row level security;
alter table attempts force row level security;
create policy tenant_wall on attempts to docsieve_app using (
    tenant_id = (select scope_tenant())
    and ((select scope_project()) is null or project_id = (select scope_project())));
create policy system_work on attempts to docsieve_system using (true) with check (true);
grant select on attempts to docsieve_app;
"""


def upgrade() -> None:
    for part in (ATTEMPTS, SHOWN, ACTS, WALLS_ASKED_ONCE, WALL):
        run_script(part)
