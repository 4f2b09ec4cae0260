-- How long things are kept --------------------------------------------------------------------------------------------

alter table projects
    add column keep_documents_days integer check (keep_documents_days > 0),
    add column keep_originals_days integer check (keep_originals_days > 0),
    add column keep_results_days integer check (keep_results_days > 0);
comment on column projects.keep_documents_days is
    'Days after their upload until documents are deleted with everything derived from them; null keeps them.';
comment on column projects.keep_originals_days is
    'Days after their upload until only the uploaded files are deleted. Pages and results stay.';
comment on column projects.keep_results_days is 'Days until completed extractions are deleted. Documents stay.';

alter table documents
    add column delete_after timestamptz,
    add column if not exists original_deleted_at timestamptz;
comment on column documents.delete_after is 'The document is deleted after this time, with what was found in it.';
comment on column documents.original_deleted_at is 'Since when the uploaded file is no longer stored.';
create index documents_to_delete on documents (delete_after) where delete_after is not null;
drop index documents_by_project;
create index documents_by_project on documents (project_id, created_at);


-- Legal holds ---------------------------------------------------------------------------------------------------------

create table legal_holds (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null,
    document_id uuid,
    batch_id uuid,
    reason text not null,
    placed_by text,
    placed_by_name text,
    placed_at timestamptz not null default clock_timestamp(),
    check (document_id is null or batch_id is null)
);
comment on table legal_holds is
    'What must not be deleted, whatever else says so: a document with what was found in it, a batch with its documents '
    'and results, or a project if neither is set. Triggers enforce it: see refuse_held.';
create index legal_holds_by_tenant on legal_holds (tenant_id, id desc);
create unique index legal_holds_by_object on legal_holds (coalesce(document_id, batch_id, project_id));

create function held_themselves(in_tenant uuid, in_ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
    with recursive line as (
        select id as document_id, id, parent_id, project_id from documents
        where tenant_id = in_tenant and id = any(in_ids)
        union
        select line.document_id, parent.id, parent.parent_id, parent.project_id
        from line join documents as parent on parent.id = line.parent_id)
    select distinct line.document_id from line
    where exists (select from legal_holds as hold where hold.tenant_id = in_tenant and (
        hold.document_id = line.id
        or hold.project_id = line.project_id and hold.document_id is null and hold.batch_id is null
        or hold.batch_id in (select batch_id from batch_documents as its where its.document_id = line.id)))
$$;
comment on function held_themselves(uuid, uuid[]) is
    'Which of these documents a hold covers: on themselves, a document that they were found in, a batch or their '
    'project.';
revoke execute on function held_themselves(uuid, uuid[]) from public;

create function held_documents(in_tenant uuid, in_ids uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
    with shared as materialized (
        select mine.document_id, other.document_id as other_id
        from extraction_documents as mine join extraction_documents as other using (extraction_id)
        where mine.tenant_id = in_tenant and mine.document_id = any(in_ids)
          and other.document_id <> mine.document_id)
    select held_themselves(in_tenant, in_ids)
    union
    select document_id from shared
    where other_id in (select held_themselves(in_tenant, array(select other_id from shared)))
$$;
comment on function held_documents(uuid, uuid[]) is
    'Which of these documents must not be deleted: those that a hold covers, and those that share an extraction with '
    'one, because its result would change. Runs as the owner, so that a key that is limited to a project cannot '
    'overlook a hold.';
revoke execute on function held_documents(uuid, uuid[]) from public;
grant execute on function held_documents(uuid, uuid[]) to docsieve_app;

create function refuse_held() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    doomed jsonb := jsonb_build_object('project_id', old.id) || to_jsonb(old);
    in_project uuid := doomed ->> 'project_id';
    its_documents uuid[];
begin
    -- a hold locks the project, or the row itself, and so is either seen here or waits until this is deleted
    perform from projects where id = in_project for key share;
    if not exists (select from legal_holds where tenant_id = old.tenant_id) then
        return case tg_op when 'DELETE' then old else new end;
    end if;
    its_documents := case tg_table_name
        when 'documents' then array[old.id]
        when 'extractions' then array(
            select document_id from extraction_documents as its where its.extraction_id = old.id) end;
    if exists (select from held_documents(old.tenant_id, its_documents)) or exists (
        select from legal_holds as hold where hold.tenant_id = old.tenant_id and (
            hold.project_id = in_project and hold.document_id is null and hold.batch_id is null
            or hold.batch_id = (case tg_table_name when 'batches' then old.id else (doomed ->> 'batch_id')::uuid end)))
    then
        raise exception using errcode = 'DS451',
            message = format('%s %s is under legal hold.', case tg_table_name when 'batches' then 'Batch' else initcap(rtrim(tg_table_name, 's')) end, old.id);
    end if;
    return case tg_op when 'DELETE' then old else new end;
end $$;
comment on function refuse_held() is
    'Raises DS451 instead of deleting a document, an extraction, a batch, a project or an uploaded file that is under '
    'legal hold, for every caller.';
create trigger refuse_held before delete on documents for each row execute function refuse_held();
create trigger refuse_held before delete on extractions for each row execute function refuse_held();
create trigger refuse_held before delete on batches for each row execute function refuse_held();
create trigger refuse_held before delete on projects for each row execute function refuse_held();
create function refuse_leaving_held_batch() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    perform from batches where id = old.batch_id for key share;
    if exists (select from legal_holds where tenant_id = old.tenant_id and batch_id = old.batch_id) then
        raise exception using errcode = 'DS451', message = format('Batch %s is under legal hold.', old.batch_id);
    end if;
    return old;
end $$;
comment on function refuse_leaving_held_batch() is
    'Keeps documents in a batch that is under legal hold, which covers them only as long as they are in it.';
create trigger refuse_held before delete on batch_documents for each row execute function refuse_leaving_held_batch();
create trigger refuse_held_original before update of original_deleted_at on documents for each row
    when (old.original_deleted_at is null and new.original_deleted_at is not null) execute function refuse_held();


create function forget_corrections(in_tenant uuid, in_extraction uuid, in_kept text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
    delete from corrections
    where tenant_id = in_tenant and tenant_id = scope_tenant() and extraction_id = in_extraction
      and path <> all(in_kept)
$$;
comment on function forget_corrections(uuid, uuid, text[]) is
    'Deletes the corrections of an extraction except those of some paths, because a document that they may quote is '
    'deleted. Runs as the owner: requests have no right to delete corrections otherwise.';
revoke execute on function forget_corrections(uuid, uuid, text[]) from public;
grant execute on function forget_corrections(uuid, uuid, text[]) to docsieve_app;


-- Words of deleted documents ------------------------------------------------------------------------------------------

create function forget_spellings(in_tenant uuid, in_terms integer[]) returns bigint
language sql security definer set search_path = public, pg_temp as $$
    -- the samples of chunks come first: they tell frequent terms without reading long lists
    with unused as materialized (
        select term from unnest(in_terms) as given (term)
        where not exists (select from chunks as held
                where terms @> array[term] and level >= 2 and tenant_id = in_tenant)
          and not exists (select from chunks as held
                where terms @> array[term] and level >= 1 and tenant_id = in_tenant)
          and not exists (select from chunks as held where terms @> array[term] and tenant_id = in_tenant)),
    gone as (
        delete from spellings using unused
        where tenant_id = in_tenant and spellings.term = unused.term and scope_tenant() = in_tenant
        returning 1)
    select count(*) from gone
$$;
comment on function forget_spellings(uuid, integer[]) is
    'Deletes the words with these terms that no chunk of the tenant contains any more. Runs as the owner, because the '
    'indexes on terms cannot be used under row-level security; it changes only the tenant of the transaction.';
revoke execute on function forget_spellings(uuid, integer[]) from public;
grant execute on function forget_spellings(uuid, integer[]) to docsieve_app;


-- Deleted tenants -----------------------------------------------------------------------------------------------------

alter table tenants add column deleted_at timestamptz;
comment on column tenants.deleted_at is 'Since when the tenant is being deleted. It has no usable keys then.';

create table tenant_deletions (
    id uuid primary key,
    deleted_tenant_id uuid not null,
    tenant_name text not null,
    tenant_created_at timestamptz not null,
    requested_by json not null,
    requested_at timestamptz not null default clock_timestamp(),
    rows json,
    objects bigint not null default 0,
    object_bytes bigint not null default 0,
    audit_entries bigint,
    audit_head bytea,
    completed_at timestamptz,
    certificate json
);
comment on table tenant_deletions is
    'Deletions of tenants and their certificates, which remain. Only the operator sees them. The tenant''s id has '
    'another name than in other tables, because it is not a row of the tenant.';
comment on column tenant_deletions.rows is 'Rows per table when the deletion began.';
comment on column tenant_deletions.objects is 'Blobs that were deleted so far.';
create unique index tenant_deletions_by_tenant on tenant_deletions (deleted_tenant_id);


-- Savings of the response cache ---------------------------------------------------------------------------------------

alter table spending_months
    add column cache_hits bigint not null default 0,
    add column saved numeric(16,8) not null default 0;
comment on column spending_months.cache_hits is 'Calls that were not made, because a cached response was used.';
comment on column spending_months.saved is 'What those responses had cost.';


-- Uploads that say when they are to be deleted ------------------------------------------------------------------------

create or replace function accept_document(in_tenant uuid, in_scope_project uuid, in_api_key text, in_upload jsonb,
                                           out project text, out metadata jsonb, out duplicate_of uuid,
                                           out created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    chosen projects;
    document documents;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    perform from api_keys
    where id = in_api_key and revoked_at is null and (expires_at is null or expires_at > clock_timestamp());
    if not found then
        raise exception using errcode = 'DS401', message = 'the API key was revoked or has expired';
    end if;
    select * into chosen from projects
    where tenant_id = in_tenant
      and (name = in_upload ->> 'project' or in_upload ->> 'project' is null and id = in_scope_project);
    if not found then
        return;
    end if;
    document := add_document(
        in_tenant, in_upload -> 'document' || jsonb_build_object('project_id', chosen.id), in_upload -> 'job');
    if in_upload ->> 'delete_after' is not null then
        update documents set delete_after = (in_upload ->> 'delete_after')::timestamptz where id = document.id;
    end if;
    if in_upload ->> 'idempotency_key' is not null then
        -- waits for a transaction that is inserting the same key, and inserts nothing if that one commits
        insert into idempotency_keys (tenant_id, key, fingerprint, document_id)
        values (in_tenant, in_upload ->> 'idempotency_key', in_upload ->> 'fingerprint', document.id)
        on conflict do nothing;
        if not found then
            raise exception using errcode = 'DS409', message = 'this Idempotency-Key was used before';
        end if;
    end if;
    project := chosen.name;
    metadata := document.metadata;
    duplicate_of := document.duplicate_of;
    created_at := document.created_at;
end $$;
