create table batches (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null references projects,
    name text not null,
    status text not null default 'pending_configuration'
        check (status in ('pending_configuration', 'running', 'completed', 'cancelled')),
    -- what to do
    schema_ref text,
    fields json,
    engine text,
    model text,
    prompt_ref text,
    threshold double precision check (threshold between 0 and 1),
    group_by jsonb not null default '{"mode": "document"}',
    split text check (split in ('none', 'auto')),
    priority integer not null default 0,
    run_at timestamptz,
    persist_data boolean not null default true,
    webhook_url text,
    metadata jsonb not null default '{}',
    -- what was done
    starting_job uuid,
    open_shards integer not null default 0 check (open_shards >= 0),
    finished_before integer not null default 0,
    error_code text,
    error_message text,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    started_at timestamptz,
    completed_at timestamptz,
    idempotency_key text,
    fingerprint text
) with (fillfactor = 70);
comment on table batches is 'Many extractions that are configured, started and counted together.';
comment on column batches.fields is 'The list of fields from which the schema was made, if any.';
comment on column batches.split is 'For uploads into the batch that do not say themselves whether to split them.';
comment on column batches.run_at is 'A start before this time is postponed until then.';
comment on column batches.persist_data is
    'If false, the batch and its documents are deleted a day after it has ended.';
comment on column batches.webhook_url is 'Stored and returned; nothing is sent to it yet.';
comment on column batches.starting_job is
    'The job that starts it later, because it waits for run_at or for documents. See batch_follows_starting_job.';
comment on column batches.open_shards is
    'How many rows of batch_counts have unfinished extractions. See count_extraction.';
comment on column batches.started_at is 'When extractions were last started or retried.';
comment on column batches.finished_before is
    'How many extractions were finished at started_at; what was finished since then gives the throughput.';
create index batches_by_tenant on batches (tenant_id, id desc);
create index batches_by_project on batches (project_id);
create index batches_to_discard on batches (completed_at) where not persist_data;
create unique index batches_by_key on batches (tenant_id, idempotency_key) where idempotency_key is not null;

create table batch_documents (
    batch_id uuid not null references batches on delete cascade,
    document_id uuid not null references documents on delete cascade,
    tenant_id uuid not null,
    project_id uuid not null,
    primary key (batch_id, document_id)
);
comment on table batch_documents is
    'The documents of a batch, including archives, their entries and attachments. See join_batches_of_parent.';
create index batch_documents_by_document on batch_documents (document_id);

create table batch_counts (
    batch_id uuid not null references batches on delete cascade,
    shard smallint not null,
    tenant_id uuid not null,
    project_id uuid not null,
    total integer not null,
    completed integer not null default 0,
    failed integer not null default 0,
    cancelled integer not null default 0,
    needs_review integer not null default 0,
    primary key (batch_id, shard)
) with (fillfactor = 50);
comment on table batch_counts is
    'How many extractions of a batch are in each final state. In several rows, so that workers that finish extractions '
    'of one batch at the same time rarely wait for each other. See count_extraction.';

create table batch_specs (
    id uuid primary key,
    batch_id uuid not null references batches on delete cascade,
    tenant_id uuid not null,
    project_id uuid not null,
    schema json not null,
    prompt text
);
comment on table batch_specs is
    'Schema and prompt of the extractions that one start of a batch made, as they were then. Once instead of in each '
    'extraction, because a schema is many times larger than the rest of a row.';
create index batch_specs_by_batch on batch_specs (batch_id);

alter table extractions
    add column batch_id uuid references batches,
    add column batch_spec uuid,
    add column group_name text,
    alter column schema drop not null,
    add check (schema is not null or batch_spec is not null);
comment on column extractions.schema is
    'The schema as it was when the extraction was started; null if it is in batch_specs.';
comment on column extractions.group_name is 'Which group of its batch it is; unique in the batch.';
create index extractions_by_batch on extractions (batch_id, id) where batch_id is not null;
create index extractions_of_batch_running on extractions (batch_id)
    where batch_id is not null and status = 'processing';

alter table jobs add column waits_for uuid;
comment on column jobs.waits_for is
    'A scheduled job becomes pending when this document is no longer being read, at the latest at run_at. See '
    'wake_waiting_jobs.';
-- ascending like the ids of new jobs, which are then appended; lists read it backward
drop index jobs_by_tenant;
create index jobs_by_tenant on jobs (tenant_id, status, id);
-- columns of fixed size first, because those are faster to compare
drop index jobs_turns;
create index jobs_turns on jobs (tenant_id, priority, queue, turn) where status = 'pending';
create index jobs_waiting on jobs (waits_for) where waits_for is not null and status = 'scheduled';


-- Waiting for documents ----------------------------------------------------------------------------------------------

create function document_in_progress(status text) returns boolean
language sql immutable parallel safe as $$
    select status in ('pending', 'processing', 'pending_unpacking', 'unpacking')
$$;
comment on function document_in_progress is 'Whether a document with this status will be read or unpacked.';

create function wake_waiting_jobs() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    queues text[];
begin
    -- a job that is locked is being cancelled or promoted, and waiting for it could be a deadlock
    with woken as (
        update jobs set status = 'pending', run_at = null, turn = greatest(turn, next_turn(queue, priority, null, 0))
        where id = any(array(
            select id from jobs where waits_for = old.id and status = 'scheduled' for no key update skip locked))
        returning queue)
    select array_agg(distinct queue) into queues from woken;
    if queues is not null then
        perform pg_notify('docsieve_wake', woken) from unnest(queues) as woken;
    end if;
    return null;
end $$;
comment on function wake_waiting_jobs is
    'Brings forward the jobs that wait for a document, in the transaction that ends its reading or deletes it. A job '
    'begins to wait under a shared lock on the document, so that it cannot miss this.';

create trigger wake_waiting_jobs after update of status on documents
for each row when (document_in_progress(old.status) and not document_in_progress(new.status))
execute function wake_waiting_jobs();

create trigger wake_waiting_jobs_of_deleted after delete on documents
for each row execute function wake_waiting_jobs();


-- Membership ---------------------------------------------------------------------------------------------------------

create function join_batches_of_parent() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    -- whoever adds the parent to a batch locks it too, and so either sees this document or is seen here
    perform from documents where id = new.parent_id for share;
    insert into batch_documents (batch_id, document_id, tenant_id, project_id)
    select batch_id, new.id, tenant_id, project_id from batch_documents where document_id = new.parent_id;
    return null;
end $$;
comment on function join_batches_of_parent is
    'Adds the entries of archives, attachments and other parts of a document to the batches that the document is in.';

create trigger join_batches_of_parent after insert on documents
for each row when (new.parent_id is not null)
execute function join_batches_of_parent();

create function accept_into_batch(
    in_tenant uuid, in_scope_project uuid, in_api_key text, in_batch uuid, in_upload jsonb,
    out project text, out metadata jsonb, out duplicate_of uuid, out created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    batch batches;
    batch_project text;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    select * into batch from batches where tenant_id = in_tenant and id = in_batch for key share;
    if not found then
        raise exception using errcode = 'DS422', message = 'there is no such batch';
    end if;
    if batch.status = 'cancelled' then
        raise exception using errcode = 'DS423', message = 'the batch was cancelled';
    end if;
    select name into batch_project from projects where id = batch.project_id;
    if in_upload ->> 'project' is distinct from batch_project and in_upload ->> 'project' is not null then
        raise exception using errcode = 'DS424', message = 'the batch is in another project';
    end if;
    in_upload := jsonb_set(in_upload, '{project}', to_jsonb(batch_project));
    in_upload := jsonb_set(
        in_upload, '{job,priority}', to_jsonb((in_upload #>> '{job,priority}')::integer + batch.priority));
    if batch.split is not null and in_upload #> '{document,reading,split}' is null then
        in_upload := jsonb_set(in_upload, '{document,reading,split}', to_jsonb(batch.split));
    end if;
    select accepted.* into project, metadata, duplicate_of, created_at
    from accept_document(in_tenant, in_scope_project, in_api_key, in_upload) as accepted;
    insert into batch_documents (batch_id, document_id, tenant_id, project_id)
    values (in_batch, (in_upload #>> '{document,id}')::uuid, in_tenant, batch.project_id);
end $$;
comment on function accept_into_batch is
    'accept_document for an upload into a batch: the document gets the batch''s project, priority and, unless the '
    'upload says otherwise, its option to split packets. Raises DS422 if '
    'there is no such batch, DS423 if it was cancelled, and DS424 if the upload names another project.';
grant create on schema public to docsieve_app;
alter function accept_into_batch owner to docsieve_app;
revoke create on schema public from docsieve_app;


-- Counting -----------------------------------------------------------------------------------------------------------

create function batch_shard(extraction_id uuid) returns smallint
language sql immutable parallel safe as $$
    select (get_byte(uuid_send(extraction_id), 15) % 32)::smallint
$$;
comment on function batch_shard is 'The row of batch_counts that counts this extraction.';

create function count_extraction() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    was_open integer := (old.status in ('pending', 'processing'))::integer;
    is_open integer := (new.status in ('pending', 'processing'))::integer;
    left_open integer;
begin
    if current_setting('docsieve.recounted_batch', true) = new.batch_id::text then
        return null;
    end if;
    update batch_counts set
        completed = completed + (new.status = 'completed')::integer - (old.status = 'completed')::integer,
        failed = failed + (new.status = 'failed')::integer - (old.status = 'failed')::integer,
        cancelled = cancelled + (new.status = 'cancelled')::integer - (old.status = 'cancelled')::integer,
        needs_review = needs_review
            + coalesce(new.needs_review, false)::integer - coalesce(old.needs_review, false)::integer
    where batch_id = new.batch_id and shard = batch_shard(new.id)
    returning total - completed - failed - cancelled into left_open;
    if was_open > is_open and left_open = 0 then
        perform close_shards(new.batch_id, 1);
    elsif is_open > was_open and left_open = 1 then
        update batches set open_shards = open_shards + 1,
            status = case status when 'completed' then 'running' else status end,
            completed_at = case status when 'completed' then null else completed_at end
        where id = new.batch_id;
    end if;
    return null;
end $$;
comment on function count_extraction is
    'Keeps batch_counts. The extraction that finishes the last open one of its shard also closes the shard, and the '
    'last shard to be closed completes the batch: a transaction sees all earlier ones of its shard, because they lock '
    'the same row. Deferred to the commit, so that the row is locked for a moment only. A transaction that changes '
    'many extractions counts them itself: see recount_batch.';

create function recount_batch(in_tenant uuid, in_batch uuid) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
    perform set_config('docsieve.recounted_batch', in_batch::text, true);
    with counted as (
        select batch_shard(id) as shard, count(*) filter (where status = 'completed') as completed,
               count(*) filter (where status = 'failed') as failed,
               count(*) filter (where status = 'cancelled') as cancelled,
               count(*) filter (where needs_review) as needs_review
        from extractions where tenant_id = in_tenant and batch_id = in_batch group by 1),
    changed as (
        update batch_counts as counts set completed = counted.completed, failed = counted.failed,
            cancelled = counted.cancelled, needs_review = counted.needs_review
        from counted
        where counts.tenant_id = in_tenant and counts.batch_id = in_batch and counts.shard = counted.shard
        returning counts.total > counts.completed + counts.failed + counts.cancelled as open)
    update batches set open_shards = (select count(*) from changed where open)
    where tenant_id = in_tenant and id = in_batch;
end $$;
comment on function recount_batch is
    'Counts the extractions of a batch in one pass, after changes to many of them in this transaction. Their jobs and '
    'the rows of batch_counts must be locked.';

create function close_shards(in_batch uuid, in_count integer) returns void
language sql set search_path = public, pg_temp as $$
    update batches set open_shards = open_shards - in_count,
        status = case when status = 'running' and open_shards = in_count and starting_job is null
            then 'completed' else status end,
        completed_at = case when status = 'running' and open_shards = in_count and starting_job is null
            then clock_timestamp() else completed_at end
    where id = in_batch
$$;
comment on function close_shards is 'Completes the batch if none of its shards has unfinished extractions any more.';

create constraint trigger count_extraction after update of status, needs_review on extractions
deferrable initially deferred
for each row when (
    new.batch_id is not null
    and (old.status is distinct from new.status or old.needs_review is distinct from new.needs_review)
    and (old.status in ('completed', 'failed', 'cancelled') or new.status in ('completed', 'failed', 'cancelled')))
execute function count_extraction();

create function uncount_extractions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    closed record;
begin
    perform from batch_counts
    where (batch_id, shard) in (select batch_id, batch_shard(id) from deleted where batch_id is not null)
    order by batch_id, shard for update;
    for closed in
        with gone as (
            select batch_id, batch_shard(id) as shard, count(*) as total,
                   count(*) filter (where status = 'completed') as completed,
                   count(*) filter (where status = 'failed') as failed,
                   count(*) filter (where status = 'cancelled') as cancelled,
                   count(*) filter (where status in ('pending', 'processing')) as open,
                   count(*) filter (where needs_review) as needs_review
            from deleted where batch_id is not null group by 1, 2),
        left_over as (
            update batch_counts as counts set total = counts.total - gone.total,
                completed = counts.completed - gone.completed, failed = counts.failed - gone.failed,
                cancelled = counts.cancelled - gone.cancelled, needs_review = counts.needs_review - gone.needs_review
            from gone where counts.batch_id = gone.batch_id and counts.shard = gone.shard
            returning counts.batch_id, gone.open as gone_open,
                counts.total - counts.completed - counts.failed - counts.cancelled as open)
        select batch_id, count(*)::integer as shards from left_over
        where gone_open > 0 and open = 0 group by batch_id order by batch_id
    loop
        perform close_shards(closed.batch_id, closed.shards);
    end loop;
    return null;
end $$;
comment on function uncount_extractions is 'Keeps batch_counts when extractions are deleted with their documents.';

create trigger uncount_extractions after delete on extractions
referencing old table as deleted
for each statement execute function uncount_extractions();

create function batch_follows_starting_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update batches set starting_job = null, error_code = new.error_code, error_message = new.error_message,
        status = case when status <> 'running' or open_shards > 0 then status
            when exists (select from batch_counts where batch_id = batches.id and total > 0) then 'completed'
            else 'pending_configuration' end
    where starting_job = new.id and tenant_id = new.tenant_id;
    return null;
end $$;
comment on function batch_follows_starting_job is
    'A batch whose start failed or was cancelled can be configured and started again.';

create trigger batch_follows_starting_job after update of status on jobs
for each row when (new.job_type = 'start_batch' and new.status in ('failed', 'cancelled'))
execute function batch_follows_starting_job();
