alter table documents
    add column source text,
    add column sealed_source bytea,
    add column staged jsonb,
    alter column media_type drop not null,
    alter column size drop not null,
    alter column sha256 drop not null,
    add constraint documents_file check (
        num_nulls(media_type, size, sha256) = 0 or num_nulls(media_type, size, sha256) = 3 and source is not null),
    drop constraint documents_status_check,
    add constraint documents_status_check check (status in (
        'pending_download', 'downloading', 'pending', 'processing', 'ready', 'pending_unpacking', 'unpacking',
        'unpacked', 'failed', 'cancelled'));
comment on column documents.source is
    'The URL that the file comes from, without its query, which may be a secret. Null if the file was uploaded.';
comment on column documents.sealed_source is 'The whole URL, encrypted, until the file has been downloaded.';
comment on column documents.staged is
    'The downloaded file before it is copied to the key of the document: key, media_type, size and sha256. Written once, '
    'so that all attempts copy the same bytes.';
comment on column documents.sha256 is 'Null, like size and media_type, until the file has been downloaded.';

drop index documents_by_size;
create index documents_by_size on documents (tenant_id, coalesce(size, 0), id);

create or replace function document_status(in_job_type text, in_job_status text) returns text
language sql immutable parallel safe as $$
    select case
        when in_job_status in ('failed', 'cancelled') then in_job_status
        when in_job_type = 'unpack_archive' then case in_job_status
            when 'completed' then 'unpacked' when 'processing' then 'unpacking' else 'pending_unpacking' end
        when in_job_type = 'download_document' then case in_job_status
            when 'completed' then 'pending' when 'processing' then 'downloading' else 'pending_download' end
        else case in_job_status
            when 'completed' then 'ready' when 'processing' then 'processing' else 'pending' end
    end
$$;

create or replace function document_in_progress(status text) returns boolean
language sql immutable parallel safe as $$
    select status in ('pending', 'processing', 'pending_unpacking', 'unpacking', 'pending_download', 'downloading')
$$;

create or replace function add_document(in_tenant uuid, in_document jsonb, in_job jsonb) returns documents
language plpgsql set search_path = public, pg_temp as $$
declare
    document documents;
    moment timestamptz := clock_timestamp();
    starts timestamptz := in_job ->> 'run_at';
    reason text := 'run_at';
begin
    insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256,
                           sealed_password, duplicate_of, parent_id, parent_path, depth, schema_ref, engine, reading,
                           webhook_url, metadata, persist_data, source, sealed_source, created_at, updated_at)
    values ((in_document ->> 'id')::uuid, in_tenant, (in_document ->> 'project_id')::uuid, (in_job ->> 'id')::uuid,
            document_status(in_job ->> 'job_type', 'pending'),
            in_document ->> 'filename', in_document ->> 'media_type', (in_document ->> 'size')::bigint,
            in_document ->> 'sha256', (in_document ->> 'sealed_password')::bytea,
            (select id from documents
             where tenant_id = in_tenant and sha256 = in_document ->> 'sha256' order by id limit 1),
            (in_document ->> 'parent_id')::uuid, in_document ->> 'parent_path',
            (in_document ->> 'depth')::smallint, in_document ->> 'schema_ref', in_document ->> 'engine',
            in_document -> 'reading', in_document ->> 'webhook_url', in_document -> 'metadata',
            coalesce((in_document ->> 'persist_data')::boolean, true),
            in_document ->> 'source', (in_document ->> 'sealed_source')::bytea, moment, moment)
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

create function check_quotas(in_tenant uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    quotas jsonb;
    used record;
begin
    select tenants.quotas into quotas from tenants where id = in_tenant;
    if quotas = '{}' then
        return;
    end if;
    select sum(counts.documents) as documents, sum(counts.bytes) as bytes, sum(counts.pages) as pages into used
    from usage_counts as counts
    where tenant_id = in_tenant and month = date_trunc('month', clock_timestamp() at time zone 'utc')::date;
    if used.documents > (quotas ->> 'documents')::bigint then
        raise exception using errcode = 'DS402', message = 'documents';
    elsif used.bytes > (quotas ->> 'bytes')::bigint then
        raise exception using errcode = 'DS402', message = 'bytes';
    elsif used.pages >= (quotas ->> 'pages')::bigint then
        raise exception using errcode = 'DS402', message = 'pages';
    end if;
end $$;
comment on function check_quotas is
    'Raises DS402 with the name of a quota that the tenant exceeds. Transactions at the same time do not see each other, '
    'so together they may exceed it by what they add. Runs as the owner because requests may not read other tenants.';
revoke execute on function check_quotas(uuid) from public;

create or replace function count_added_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    added_by record;
begin
    for added_by in
        select tenant_id, count(*) as documents, coalesce(sum(size), 0)::bigint as bytes from added group by 1
    loop
        perform count_usage(added_by.tenant_id, added_by.documents, added_by.bytes, 0);
        perform check_quotas(added_by.tenant_id);
    end loop;
    return null;
end $$;
comment on function count_added_documents is
    'Counts documents as they are added, however that happens, and raises DS402 if they exceed a quota.';

create function count_downloaded_bytes() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform count_usage(new.tenant_id, 0, new.size, 0);
    perform check_quotas(new.tenant_id);
    return null;
end $$;
comment on function count_downloaded_bytes is
    'Counts the bytes of a document that was downloaded, whose size was not known when it was added, and raises DS402 if '
    'they exceed a quota.';
create trigger count_downloaded_bytes after update of size on documents for each row
    when (old.size is null and new.size is not null) execute function count_downloaded_bytes();
