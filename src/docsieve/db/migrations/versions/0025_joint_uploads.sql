create function add_documents(
    in_tenant uuid, in_project uuid, in_queue text, in_priority integer, in_added jsonb, in_reading jsonb default '{}')
returns table (id uuid, metadata jsonb, duplicate_of uuid, created_at timestamptz)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
    moment timestamptz := clock_timestamp();
    opens timestamptz;
    step double precision;
    first_turn double precision;
begin
    select case when processing_window is not null then processing_window_opens(processing_window, false, moment) end,
           1 / weight, next_turn(in_queue, in_priority, in_tenant, 1 / weight)
    into opens, step, first_turn
    from projects join tenants on tenants.id = tenant_id
    where tenant_id = in_tenant and projects.id = in_project;
    return query
    with given as materialized (
        select added -> 'document' as document, added -> 'job' as job, (added #>> '{document,id}')::uuid as id, place,
               coalesce((added #>> '{job,run_at}')::timestamptz,
                        case when added #> '{job,urgent}' = 'false' then opens end) as starts
        from jsonb_array_elements(in_added) with ordinality as listed (added, place)),
    enqueued as (
        insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, turn,
                          status, run_at, deferred_by)
        select (job ->> 'id')::uuid, in_tenant, in_project, given.id, job ->> 'job_type', job -> 'args', in_queue,
               in_priority, (job ->> 'max_attempts')::integer, first_turn + (place - 1) * step,
               case when starts > moment then 'scheduled' else 'pending' end,
               case when starts > moment then starts end,
               case when starts > moment then
                   case when job ->> 'run_at' is null then 'processing_window' else 'run_at' end end
        from given)
    insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256,
                           sealed_password, duplicate_of, schema_ref, engine, reading, webhook_url,
                           metadata, persist_data, source, sealed_source, delete_after,
                           created_at, updated_at)
    select given.id, in_tenant, in_project, (job ->> 'id')::uuid, document_status(job ->> 'job_type', 'pending'),
           document ->> 'filename', document ->> 'media_type', (document ->> 'size')::bigint, document ->> 'sha256',
           (document ->> 'sealed_password')::bytea,
           coalesce((select older.id from documents as older
                     where older.tenant_id = in_tenant and older.sha256 = document ->> 'sha256'
                     order by older.id limit 1),
                    (document ->> 'twin')::uuid),
           document ->> 'schema_ref', document ->> 'engine', in_reading || (document -> 'reading'),
           document ->> 'webhook_url', document -> 'metadata', (document ->> 'persist_data')::boolean,
           document ->> 'source', (document ->> 'sealed_source')::bytea, (document ->> 'delete_after')::timestamptz,
           moment, moment
    from given
    returning documents.id, documents.metadata, documents.duplicate_of, documents.created_at;
end $$;
comment on function add_documents is
    'Inserts documents and the jobs that read them, from the tenant''s next turn on. Each element holds the rows of '
    '`document` and `job` as JSON; `twin` is an earlier element with the same content. Without a run_at, a job that is '
    'not urgent waits for the processing window of the project. What a document says about its reading precedes '
    '`in_reading`.';

create function accept_documents(
    in_tenant uuid, in_scope_project uuid, in_api_key text, in_project text, in_batch uuid, in_queue text,
    in_priority integer, in_uploads jsonb)
returns table (project text, id uuid, metadata jsonb, duplicate_of uuid, created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
    batch batches;
    chosen record;
    reading jsonb := '{}';
    unused bigint;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    if in_batch is not null then
        select * into batch from batches where tenant_id = in_tenant and batches.id = in_batch for key share;
        if not found then
            raise exception using errcode = 'DS422', message = 'there is no such batch';
        end if;
        if batch.status = 'cancelled' then
            raise exception using errcode = 'DS423', message = 'the batch was cancelled';
        end if;
        if batch.split is not null then
            reading := jsonb_build_object('split', batch.split);
        end if;
    end if;
    select projects.id, projects.name into chosen
    from api_keys left join projects on projects.tenant_id = in_tenant
        and (projects.id = batch.project_id or in_batch is null
             and (projects.name = in_project or in_project is null and projects.id = in_scope_project))
    where api_keys.id = in_api_key and revoked_at is null and (expires_at is null or expires_at > clock_timestamp());
    if not found then
        raise exception using errcode = 'DS401', message = 'the API key was revoked or has expired';
    end if;
    if chosen.id is null then
        return;
    end if;
    if in_batch is not null and in_project <> chosen.name then
        raise exception using errcode = 'DS424', message = 'the batch is in another project';
    end if;
    return query
    select chosen.name, added.*
    from add_documents(in_tenant, chosen.id, in_queue, in_priority + coalesce(batch.priority, 0), in_uploads, reading)
        as added;
    if in_uploads @? '$[*].idempotency_key' then
        -- waits for a transaction that is inserting the same key, and inserts nothing if that one commits
        insert into idempotency_keys (tenant_id, key, fingerprint, document_id)
        select in_tenant, upload ->> 'idempotency_key', upload ->> 'fingerprint', (upload #>> '{document,id}')::uuid
        from jsonb_array_elements(in_uploads) as upload
        where upload ? 'idempotency_key'
        order by 2
        on conflict do nothing;
        get diagnostics unused = row_count;
        if unused < jsonb_array_length(jsonb_path_query_array(in_uploads, '$[*].idempotency_key')) then
            raise exception using errcode = 'DS409', message = 'this Idempotency-Key was used before';
        end if;
    end if;
    if in_batch is not null then
        insert into batch_documents (batch_id, document_id, tenant_id, project_id, uploaded)
        select in_batch, (upload #>> '{document,id}')::uuid, in_tenant, batch.project_id, true
        from jsonb_array_elements(in_uploads) as upload;
    end if;
end $$;
grant create on schema public to docsieve_app;
alter function accept_documents owner to docsieve_app;
revoke create on schema public from docsieve_app;
comment on function accept_documents is
    'Records uploads of one sender into one project and queue in one round trip: checks the API key again, then adds '
    'the documents, their jobs and their Idempotency-Keys, all or nothing. Returns no row if there is no such project. '
    'Raises DS401 for an API key that is no longer valid, DS409 for an Idempotency-Key that was used before, DS422 if '
    'there is no such batch, DS423 if it was cancelled, and DS424 if it is in another project. Documents get the '
    'priority of their batch and, unless the upload says otherwise, its option to split packets. Belongs to '
    'docsieve_app and runs as its owner, so row-level security applies to it as to any other request.';

comment on function add_document is 'As add_documents, for one document. For API processes of an earlier release.';
comment on function accept_document is 'As accept_documents, for one upload. For API processes of an earlier release.';
comment on function accept_into_batch is
    'As accept_documents, for one upload into a batch. For API processes of an earlier release.';
