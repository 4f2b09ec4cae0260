alter table tenants
    add column limits jsonb not null default '{}',
    add column quotas jsonb not null default '{}';
comment on column tenants.limits is 'What replaces the limits of DOCSIEVE_LIMITS for this tenant, by name.';
comment on column tenants.quotas is 'The most documents, bytes and pages per month; what is not named has no limit.';

create table usage_counts (
    tenant_id uuid not null references tenants on delete cascade,
    month date not null,
    shard smallint not null,
    documents bigint not null default 0,
    bytes bigint not null default 0,
    pages bigint not null default 0,
    primary key (tenant_id, month, shard)
) with (fillfactor = 50);
comment on table usage_counts is
    'Documents and bytes taken in and pages read by a tenant in a month of UTC, whether or not they were deleted since. '
    'In several rows, so that uploads at the same time rarely wait for each other. See count_usage.';

create function count_usage(in_tenant uuid, in_documents bigint, in_bytes bigint, in_pages bigint) returns void
language sql security definer set search_path = public, pg_temp as $$
    insert into usage_counts as counts (tenant_id, month, shard, documents, bytes, pages)
    values (in_tenant, date_trunc('month', clock_timestamp() at time zone 'utc')::date,
            pg_backend_pid() % 32, in_documents, in_bytes, in_pages)
    on conflict (tenant_id, month, shard) do update set documents = counts.documents + excluded.documents,
        bytes = counts.bytes + excluded.bytes, pages = counts.pages + excluded.pages
$$;
comment on function count_usage is
    'Adds to usage_counts, in a row that other server processes rarely use. Runs as the owner because requests may '
    'only read the table.';
revoke execute on function count_usage(uuid, bigint, bigint, bigint) from public;

create function count_added_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    added_by record;
    quotas jsonb;
    used record;
begin
    for added_by in select tenant_id, count(*) as documents, sum(size)::bigint as bytes from added group by 1 loop
        perform count_usage(added_by.tenant_id, added_by.documents, added_by.bytes, 0);
        select tenants.quotas into quotas from tenants where id = added_by.tenant_id;
        continue when quotas = '{}';
        select sum(counts.documents) as documents, sum(counts.bytes) as bytes, sum(counts.pages) as pages into used
        from usage_counts as counts
        where tenant_id = added_by.tenant_id
          and month = date_trunc('month', clock_timestamp() at time zone 'utc')::date;
        if used.documents > (quotas ->> 'documents')::bigint then
            raise exception using errcode = 'DS402', message = 'documents';
        elsif used.bytes > (quotas ->> 'bytes')::bigint then
            raise exception using errcode = 'DS402', message = 'bytes';
        elsif used.pages >= (quotas ->> 'pages')::bigint then
            raise exception using errcode = 'DS402', message = 'pages';
        end if;
    end loop;
    return null;
end $$;
comment on function count_added_documents is
    'Counts documents as they are added, however that happens, and raises DS402 with the name of a quota that they '
    'exceed. Transactions at the same time do not see each other, so together they may exceed it by what they add.';
create trigger count_added_documents after insert on documents referencing new table as added
for each statement execute function count_added_documents();

create function count_read_pages() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform count_usage(new.tenant_id, 0, 0, new.page_count);
    return null;
end $$;
comment on function count_read_pages is 'Counts the pages of a document that was really read, not found read before.';
create trigger count_read_pages after update of read_at on documents for each row
when (new.read_at is distinct from old.read_at and new.page_count > 0 and not new.read_cached)
execute function count_read_pages();

create function require_key(in_tenant uuid, in_api_key text) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
    perform from api_keys
    where id = in_api_key and tenant_id = in_tenant and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp());
    if not found then
        raise exception using errcode = 'DS401', message = 'the API key was revoked or has expired';
    end if;
end $$;
comment on function require_key is 'Raises DS401 for an API key that is no longer valid.';

create function document_states(in_tenants uuid[], in_ids uuid[], in_max_position integer)
returns table (
    id uuid, status text, page_count integer, parser text, parser_version text, read_cached boolean, error_code text,
    error_message text, job_id uuid, job_status text, attempts integer, max_attempts integer, run_at timestamptz,
    deferred_by text, progress jsonb, attempt_error_code text, attempt_error_message text, queue_position bigint,
    extraction_id uuid, extraction_status text, needs_review boolean, extraction_error_code text,
    extraction_error_message text)
language sql stable as $$
    select documents.id, documents.status, documents.page_count, parser, parser_version, read_cached,
           documents.error_code, documents.error_message,
           jobs.id, jobs.status, jobs.attempts, jobs.max_attempts, jobs.run_at, jobs.deferred_by, jobs.progress,
           jobs.error_code, jobs.error_message,
           case when in_max_position > 0 and jobs.status = 'pending' then queue_position(jobs.id, in_max_position) end,
           newest.id, newest.status, newest.needs_review, newest.error_code, newest.error_message
    from unnest(in_tenants, in_ids) as wanted (tenant_id, id)
        join documents on documents.tenant_id = wanted.tenant_id and documents.id = wanted.id
        left join jobs on jobs.id = documents.job_id
        left join lateral (
            select extractions.id, extractions.status, needs_review, extractions.error_code, extractions.error_message
            from extraction_documents as its join extractions on extractions.id = its.extraction_id
            where its.document_id = documents.id order by its.extraction_id desc limit 1) as newest on true
$$;
comment on function document_states is
    'The states of documents of any tenants that the caller may see. Positions in the queue are counted up to a limit; '
    'a limit of 0 leaves them out.';

create function read_document_state(
    in_tenant uuid, in_scope_project uuid, in_api_key text, in_id uuid, in_max_position integer)
returns table (
    id uuid, status text, page_count integer, parser text, parser_version text, read_cached boolean, error_code text,
    error_message text, job_id uuid, job_status text, attempts integer, max_attempts integer, run_at timestamptz,
    deferred_by text, progress jsonb, attempt_error_code text, attempt_error_message text, queue_position bigint,
    extraction_id uuid, extraction_status text, needs_review boolean, extraction_error_code text,
    extraction_error_message text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    if in_api_key is not null then
        perform require_key(in_tenant, in_api_key);
    end if;
    return query select * from document_states(array[in_tenant], array[in_id], in_max_position);
end $$;
comment on function read_document_state is
    'The state of one document in one round trip, because clients poll it. Raises DS401 for an API key that is no '
    'longer valid; null skips that check. Belongs to docsieve_app and runs as its owner, so row-level security '
    'applies to it as to any other request.';
grant create on schema public to docsieve_app;
alter function read_document_state owner to docsieve_app;
revoke create on schema public from docsieve_app;
