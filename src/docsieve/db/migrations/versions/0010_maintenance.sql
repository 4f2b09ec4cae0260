create table schedules (
    name text primary key,
    due_at timestamptz not null,
    last_tick timestamptz
);
comment on table schedules is
    'When each scheduled kind of job is next due. A tick is fired in the transaction that enqueues its job.';
comment on column schedules.last_tick is 'The tick that was last fired. No tick is fired twice.';

create function next_local_time(in_time time, in_zone text, in_after timestamptz) returns timestamptz
    language plpgsql stable parallel safe
    set search_path = public, pg_temp
    as $$
declare
    today date := (in_after at time zone in_zone)::date;
    wall timestamp;
    moment timestamptz;
    shift interval;
begin
    for day in -1..2 loop
        wall := today + day + in_time;
        moment := wall at time zone in_zone;
        -- where the clock is set back, the same time comes twice, and the first one counts
        foreach shift in array array['2 hours', '1 hour', '30 minutes']::interval[] loop
            if (moment - shift) at time zone in_zone = wall then
                moment := moment - shift;
                exit;
            end if;
        end loop;
        exit when moment > in_after;
    end loop;
    return moment;
end $$;
comment on function next_local_time(time, text, timestamptz) is
    'The next moment after in_after at which clocks in the zone show this time; exactly one per calendar day. A time '
    'that is skipped when clocks are set forward is as long after that change as it would have been without it.';

create function processing_window_opens(in_window jsonb, in_batch boolean, in_now timestamptz) returns timestamptz
    language plpgsql stable parallel safe
    set search_path = public, pg_temp
    as $$
declare
    opens time := in_window ->> 'start';
    closes time := in_window ->> 'end';
    shown time := (in_now at time zone (in_window ->> 'time_zone'))::time;
begin
    if in_window is null or (in_window ->> 'applies_to' = 'batches' and not in_batch)
        or (opens < closes and shown >= opens and shown < closes)
        or (opens > closes and (shown >= opens or shown < closes)) then
        return null;
    end if;
    return next_local_time(opens, in_window ->> 'time_zone', in_now);
end $$;
comment on function processing_window_opens(jsonb, boolean, timestamptz) is
    'When the processing window of a project opens; null if it is open, or does not apply to this work.';

alter table projects
    add column processing_window jsonb;
comment on column projects.processing_window is
    'Local times between which work is started: start, end, time_zone, and applies_to (batches or all). See '
    'processing_window_opens.';

alter table jobs
    add column result jsonb,
    add column deferred_by text check (deferred_by in ('run_at', 'processing_window'));
comment on column jobs.result is 'What the completed job reports, such as the counts of a clean-up.';
comment on column jobs.deferred_by is
    'Why the job has to wait for run_at: the request named that time, or the processing window of its project opens '
    'then. Null for jobs that wait for another reason.';
create index jobs_of_maintenance on jobs (job_type, id desc) where queue = 'maintenance';

alter table documents
    add column persist_data boolean not null default true,
    add column original_deleted_at timestamptz;
comment on column documents.persist_data is
    'If false, the document is deleted with everything derived from it, a while after it was processed. Documents that '
    'are found in it inherit this.';
comment on column documents.original_deleted_at is 'Since when the uploaded file is no longer stored.';
create index documents_to_discard on documents (updated_at) where not persist_data and parent_id is null;
create index documents_unpacked on documents (updated_at) where status = 'unpacked' and original_deleted_at is null;

alter table batch_documents
    add column uploaded boolean not null default false;
comment on column batch_documents.uploaded is
    'Whether the document came into the system with this batch. Documents that existed before outlive it.';
create index batches_unconfigured on batches (updated_at) where status = 'pending_configuration';

create or replace function join_batches_of_parent() returns trigger
    language plpgsql security definer
    set search_path = public, pg_temp
    as $$
begin
    -- whoever adds the parent to a batch locks it too, and so either sees this document or is seen here
    perform from documents where id = new.parent_id for share;
    insert into batch_documents (batch_id, document_id, tenant_id, project_id, uploaded)
    select batch_id, new.id, tenant_id, project_id, uploaded from batch_documents where document_id = new.parent_id;
    return null;
end $$;

create or replace function add_document(in_tenant uuid, in_document jsonb, in_job jsonb) returns documents
    language plpgsql
    set search_path = public, pg_temp
    as $$
declare
    document documents;
    moment timestamptz := clock_timestamp();
    starts timestamptz := in_job ->> 'run_at';
    reason text := 'run_at';
begin
    insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256,
                           sealed_password, duplicate_of, parent_id, parent_path, depth, schema_ref, engine, reading,
                           webhook_url, metadata, persist_data, created_at, updated_at)
    values ((in_document ->> 'id')::uuid, in_tenant, (in_document ->> 'project_id')::uuid, (in_job ->> 'id')::uuid,
            document_status(in_job ->> 'job_type', 'pending'),
            in_document ->> 'filename', in_document ->> 'media_type', (in_document ->> 'size')::bigint,
            in_document ->> 'sha256', (in_document ->> 'sealed_password')::bytea,
            (select id from documents
             where tenant_id = in_tenant and sha256 = in_document ->> 'sha256' order by id limit 1),
            (in_document ->> 'parent_id')::uuid, in_document ->> 'parent_path',
            (in_document ->> 'depth')::smallint, in_document ->> 'schema_ref', in_document ->> 'engine',
            in_document -> 'reading', in_document ->> 'webhook_url', in_document -> 'metadata',
            coalesce((in_document ->> 'persist_data')::boolean, true), moment, moment)
    returning * into document;
    if starts is null and not coalesce((in_job ->> 'urgent')::boolean, false) then
        reason := 'processing_window';
        select processing_window_opens(processing_window, false, moment) into starts
        from projects where tenant_id = in_tenant and id = document.project_id;
    end if;
    if starts <= moment then
        starts := null;
    end if;
    insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, turn,
                      status, run_at, deferred_by)
    select document.job_id, in_tenant, document.project_id, document.id, in_job ->> 'job_type', in_job -> 'args',
           in_job ->> 'queue', (in_job ->> 'priority')::integer, (in_job ->> 'max_attempts')::integer,
           next_turn(in_job ->> 'queue', (in_job ->> 'priority')::integer, in_tenant, 1 / weight),
           case when starts is null then 'pending' else 'scheduled' end, starts,
           case when starts is not null then reason end
    from tenants where id = in_tenant;
    return document;
end $$;
comment on function add_document(uuid, jsonb, jsonb) is
    'Inserts a document and the job that reads it, with the job at the tenant''s next turn. The arguments are rows of '
    'documents and jobs as JSON. Without a run_at, a job that is not urgent waits for the processing window of its '
    'project.';

create or replace function accept_into_batch(in_tenant uuid, in_scope_project uuid, in_api_key text, in_batch uuid,
                                             in_upload jsonb, out project text, out metadata jsonb,
                                             out duplicate_of uuid, out created_at timestamptz)
    language plpgsql security definer
    set search_path = public, pg_temp
    as $$
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
    insert into batch_documents (batch_id, document_id, tenant_id, project_id, uploaded)
    values (in_batch, (in_upload #>> '{document,id}')::uuid, in_tenant, batch.project_id, true);
end $$;
