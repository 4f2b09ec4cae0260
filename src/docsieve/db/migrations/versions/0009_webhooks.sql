create table webhook_endpoints (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid references projects on delete cascade,
    url text not null,
    description text not null default '',
    events text[] not null default '{}',
    payload text not null default 'thin' check (payload in ('thin', 'full')),
    enabled boolean not null default true,
    disabled_reason text check (disabled_reason in ('gone', 'refused', 'failing')),
    disabled_at timestamptz,
    public_key text,
    -- how well it receives
    failures integer not null default 0,
    failing_since timestamptz,
    opens integer not null default 0,
    open_until timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp()
) with (fillfactor = 70);
comment on table webhook_endpoints is 'URLs that receive events of a tenant, or of one project.';
comment on column webhook_endpoints.project_id is 'If set, the endpoint gets events of this project only.';
comment on column webhook_endpoints.events is 'Types of events that it gets; all if empty.';
comment on column webhook_endpoints.payload is '`thin` has ids and links, `full` the document, extraction or batch too.';
comment on column webhook_endpoints.disabled_reason is
    'Why it was disabled without being asked: it answered 410, its answer said so, or it failed for days.';
comment on column webhook_endpoints.public_key is 'Verifies its asymmetric signatures, if it has such a key.';
comment on column webhook_endpoints.failures is 'Failed attempts since the last success.';
comment on column webhook_endpoints.failing_since is 'The first of them.';
comment on column webhook_endpoints.opens is 'How often the circuit breaker opened since the last success.';
comment on column webhook_endpoints.open_until is 'Nothing is sent before, other than tests.';
create index webhook_endpoints_by_tenant on webhook_endpoints (tenant_id, id desc);
create index webhook_endpoints_by_project on webhook_endpoints (project_id) where project_id is not null;

create table webhook_secrets (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid references projects on delete cascade,
    endpoint_id uuid references webhook_endpoints on delete cascade,
    kind text not null check (kind in ('hmac', 'ed25519')),
    sealed bytea not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz
);
comment on table webhook_secrets is
    'What messages are signed with. While an old secret has not expired, messages have a signature with each.';
comment on column webhook_secrets.endpoint_id is 'Null for the secret of the tenant, which signs messages to one-off URLs.';
create unique index webhook_secrets_current on webhook_secrets (coalesce(endpoint_id, tenant_id), kind)
    where expires_at is null;
create index webhook_secrets_by_owner on webhook_secrets (coalesce(endpoint_id, tenant_id));

create table webhook_deliveries (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid,
    endpoint_id uuid references webhook_endpoints on delete cascade,
    url text,
    event_id uuid not null,
    event_type text not null,
    event_created_at timestamptz not null,
    subject_id uuid,
    document_id uuid,
    data jsonb not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
    job_id uuid not null,
    attempts integer not null default 0,
    tries integer not null default 0,
    next_attempt_at timestamptz,
    last_attempt_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null default clock_timestamp() + interval '3 days',
    completed_at timestamptz,
    check ((endpoint_id is null) <> (url is null))
) with (fillfactor = 70);
comment on table webhook_deliveries is
    'One event to one receiver. Written in the transaction of the event, see dispatch_event. The body of the message is '
    'not stored but made for each attempt, so that it is gone when its document is.';
comment on column webhook_deliveries.url is 'The webhook_url of the document, extraction or batch; null for an endpoint.';
comment on column webhook_deliveries.event_id is 'The id of the message. The event itself is pruned earlier.';
comment on column webhook_deliveries.data is 'The data of the event.';
comment on column webhook_deliveries.job_id is 'The job that makes the next attempt. Other jobs change nothing.';
comment on column webhook_deliveries.attempts is 'Number of attempts in webhook_attempts.';
comment on column webhook_deliveries.tries is 'Position in the schedule of retries. A replay starts it again.';
comment on column webhook_deliveries.last_status is 'HTTP status of the last attempt, null if there was no answer.';
comment on column webhook_deliveries.expires_at is 'After this time no attempt waits for a receiver that is down.';
create index webhook_deliveries_by_tenant on webhook_deliveries (tenant_id, id);
create unique index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, event_id)
    where endpoint_id is not null;
create index webhook_deliveries_by_subject on webhook_deliveries (subject_id) where subject_id is not null;
create index webhook_deliveries_by_document on webhook_deliveries (document_id) where document_id is not null;

create table webhook_attempts (
    delivery_id uuid not null references webhook_deliveries on delete cascade,
    number integer not null,
    tenant_id uuid not null,
    project_id uuid,
    started_at timestamptz not null,
    duration_ms integer not null,
    status integer,
    error_code text,
    response text not null default '',
    primary key (delivery_id, number)
);
comment on table webhook_attempts is 'What became of each attempt to deliver a message.';
comment on column webhook_attempts.response is 'The beginning of the answer, at most 4 KB. Untrusted.';


-- Sending ------------------------------------------------------------------------------------------------------------

create function enqueue_deliveries(
    in_tenant uuid, in_project uuid, in_deliveries uuid[], in_jobs uuid[], in_until timestamptz[]) returns void
language sql set search_path = public, pg_temp as $$
    with start as materialized (
        select next_turn('webhook', 0, in_tenant, 1 / weight) as turn, weight from tenants where id = in_tenant)
    insert into jobs (id, tenant_id, project_id, job_type, args, queue, max_attempts, turn, status, run_at)
    select job.id, in_tenant, in_project, 'deliver_webhook', jsonb_build_object('delivery_id', job.delivery), 'webhook',
           3, start.turn + (job.place - 1) / start.weight,
           case when job.until > clock_timestamp() then 'scheduled' else 'pending' end,
           case when job.until > clock_timestamp() then job.until end
    from start, unnest(in_deliveries, in_jobs, in_until) with ordinality as job (delivery, id, until, place)
$$;
comment on function enqueue_deliveries is 'Adds the jobs that send deliveries, each at its time; null for at once.';

create function dispatch_event() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    one_off text := case
        when new.type in ('document.ready', 'document.failed', 'archive.unpacked')
            then (select webhook_url from documents where id = new.subject_id)
        when new.type in ('extraction.completed', 'extraction.failed')
            then (select webhook_url from extractions where id = new.subject_id and not is_report)
        when new.type in ('report.completed', 'report.failed')
            then (select webhook_url from extractions where id = new.subject_id)
        when new.type = 'batch.completed'
            then (select webhook_url from batches where id = new.subject_id)
    end;
    added record;
begin
    with receivers as (
        select id as endpoint_id, null as url, open_until from webhook_endpoints
        where tenant_id = new.tenant_id and (project_id is null or project_id = new.project_id)
          and case when new.type = 'webhook.test' then id = new.subject_id
                   else enabled and (events = '{}' or new.type = any(events)) end
        union all
        select null, one_off, null where one_off is not null),
    due as materialized (
        select *, new_event_id() as delivery_id, new_event_id() as job_id,
               case when new.type <> 'webhook.test' and open_until > clock_timestamp() then open_until end as until
        from receivers),
    delivery as (
        insert into webhook_deliveries (id, tenant_id, project_id, endpoint_id, url, event_id, event_type,
            event_created_at, subject_id, document_id, data, job_id, next_attempt_at)
        select delivery_id, new.tenant_id, new.project_id, endpoint_id, url, new.id, new.type, new.created_at,
               new.subject_id, new.document_id, new.data, job_id, coalesce(until, clock_timestamp())
        from due)
    select array_agg(delivery_id) as deliveries, array_agg(job_id) as jobs, array_agg(until) as untils into added
    from due;
    if added.deliveries is not null then
        perform enqueue_deliveries(new.tenant_id, new.project_id, added.deliveries, added.jobs, added.untils);
        perform pg_notify('docsieve_wake', 'webhook');
    end if;
    return null;
end $$;
comment on function dispatch_event is
    'Adds a delivery with its job for each endpoint that wants the event, and for the webhook_url of the object that '
    'the event is about, in the transaction of the event. A test goes to the endpoint that it is about.';

create trigger dispatch_event after insert on events
for each row execute function dispatch_event();

create function delivery_follows_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    delivery webhook_deliveries;
begin
    if new.status = 'failed' then
        update webhook_deliveries set job_id = new_event_id(), tries = tries + 1, last_error = new.error_code,
            next_attempt_at = clock_timestamp() + interval '5 minutes'
        where id = (new.args ->> 'delivery_id')::uuid and job_id = new.id and status = 'pending'
          and expires_at > clock_timestamp()
        returning * into delivery;
        if found then
            perform enqueue_deliveries(delivery.tenant_id, delivery.project_id, array[delivery.id],
                array[delivery.job_id], array[delivery.next_attempt_at]);
            return null;
        end if;
    end if;
    update webhook_deliveries set status = new.status, last_error = new.error_code, next_attempt_at = null,
        completed_at = clock_timestamp()
    where id = (new.args ->> 'delivery_id')::uuid and job_id = new.id and status = 'pending';
    return null;
end $$;
comment on function delivery_follows_job is
    'Ends a delivery whose job was cancelled. One whose job failed, because workers were lost or of an unexpected '
    'error, gets another job until it expires: a receiver that does not answer is no reason for a job to fail.';

create trigger delivery_follows_job after update of status on jobs
for each row when (new.job_type = 'deliver_webhook' and new.status in ('failed', 'cancelled'))
execute function delivery_follows_job();

create function delete_deliveries_about() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from webhook_deliveries where subject_id in (select id from deleted);
    if tg_table_name = 'documents' then
        delete from webhook_deliveries where document_id in (select id from deleted);
    end if;
    return null;
end $$;
comment on function delete_deliveries_about is
    'Deletes deliveries with what receivers answered to them together with the document, extraction or batch they are '
    'about.';

create trigger delete_deliveries_about after delete on documents
referencing old table as deleted
for each statement execute function delete_deliveries_about();

create trigger delete_deliveries_about after delete on extractions
referencing old table as deleted
for each statement execute function delete_deliveries_about();

create trigger delete_deliveries_about after delete on batches
referencing old table as deleted
for each statement execute function delete_deliveries_about();

comment on column documents.webhook_url is 'Is told when the document is ready, unpacked or has failed.';
comment on column extractions.webhook_url is 'Is told when the extraction is completed or has failed.';
comment on column batches.webhook_url is 'Is told when the batch is completed.';
