alter table documents drop constraint documents_status_check;
alter table documents add constraint documents_status_check check (status in (
    'pending', 'processing', 'ready', 'pending_unpacking', 'unpacking', 'unpacked', 'failed', 'cancelled'));
comment on column documents.parent_id is 'The document or archive this one was found in.';
comment on column documents.parent_path is 'Its name or path inside the parent.';

create table archives (
    document_id uuid primary key references documents (id) on delete cascade,
    tenant_id uuid not null,
    project_id uuid not null,
    root_id uuid not null,
    entries integer not null default 0,
    created integer not null default 0,
    skipped integer not null default 0,
    unsupported_type integer not null default 0,
    refused integer not null default 0,
    unpacked_bytes bigint not null default 0,
    incomplete text
);
comment on table archives is 'How far an archive is unpacked. Written with each slice of its entries.';
comment on column archives.root_id is 'The uploaded archive that this one was in, at any depth, or the archive itself. '
    'Limits apply to all archives with the same root.';
comment on column archives.entries is 'Entries so far. The next slice begins after them.';
comment on column archives.incomplete is 'Why there may be entries that are not listed.';
create index archives_by_root on archives (root_id);

create table archive_entries (
    archive_id uuid not null references documents (id) on delete cascade,
    number integer not null,
    tenant_id uuid not null,
    project_id uuid not null,
    path text not null,
    verdict text not null check (verdict in ('created', 'skipped', 'unsupported_type', 'refused')),
    code text,
    size bigint,
    document_id uuid references documents (id) on delete set null,
    primary key (archive_id, number)
);
comment on table archive_entries is 'What became of each entry of an archive, in the order of the archive.';
comment on column archive_entries.code is 'Why it was skipped or refused.';
comment on column archive_entries.document_id is 'The document it became; null after that was deleted.';
create index archive_entries_by_verdict on archive_entries (archive_id, verdict, number);
create index archive_entries_by_document on archive_entries (document_id) where document_id is not null;

-- An archive is unpacked by a job of a different type, and its document has different words for the same states.
create function document_status(in_job_type text, in_job_status text) returns text
language sql immutable parallel safe as $$
    select case
        when in_job_status in ('failed', 'cancelled') then in_job_status
        when in_job_type = 'unpack_archive' then case in_job_status
            when 'completed' then 'unpacked' when 'processing' then 'unpacking' else 'pending_unpacking' end
        else case in_job_status
            when 'completed' then 'ready' when 'processing' then 'processing' else 'pending' end
    end
$$;
comment on function document_status is 'The status of a document whose current job is of this type and status.';

create or replace function document_follows_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update documents set
        status = document_status(new.job_type, new.status),
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        updated_at = clock_timestamp()
    where id = new.document_id and job_id = new.id;
    return null;
end $$;

create or replace function add_document(in_tenant uuid, in_document jsonb, in_job jsonb) returns documents
language plpgsql set search_path = public, pg_temp as $$
declare
    document documents;
    moment timestamptz := clock_timestamp();
begin
    insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256,
                           sealed_password, duplicate_of, parent_id, parent_path, depth, schema_ref, engine, reading,
                           webhook_url, metadata, created_at, updated_at)
    values ((in_document ->> 'id')::uuid, in_tenant, (in_document ->> 'project_id')::uuid, (in_job ->> 'id')::uuid,
            document_status(in_job ->> 'job_type', 'pending'),
            in_document ->> 'filename', in_document ->> 'media_type', (in_document ->> 'size')::bigint,
            in_document ->> 'sha256', (in_document ->> 'sealed_password')::bytea,
            (select id from documents
             where tenant_id = in_tenant and sha256 = in_document ->> 'sha256' order by id limit 1),
            (in_document ->> 'parent_id')::uuid, in_document ->> 'parent_path',
            (in_document ->> 'depth')::smallint, in_document ->> 'schema_ref', in_document ->> 'engine',
            in_document -> 'reading', in_document ->> 'webhook_url', in_document -> 'metadata', moment, moment)
    returning * into document;
    insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, turn,
                      status)
    select document.job_id, in_tenant, document.project_id, document.id, in_job ->> 'job_type', in_job -> 'args',
           in_job ->> 'queue', (in_job ->> 'priority')::integer, (in_job ->> 'max_attempts')::integer,
           next_turn(in_job ->> 'queue', (in_job ->> 'priority')::integer, in_tenant, 1 / weight), 'pending'
    from tenants where id = in_tenant;
    return document;
end $$;
