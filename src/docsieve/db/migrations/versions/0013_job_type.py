"""What the API calls `job_type` has that name in the database too.

Renaming a column does not change the bodies of functions, so `accept_document` is created again. Its first overload,
without the API key, has no callers left.
"""

from docsieve.db.migrations.runner import run_script

revision = "0013"
down_revision = "0012"

RENAME = """
alter table jobs rename column kind to job_type;
drop function accept_document(uuid, uuid, text, uuid, text, text, bigint, text, text, text, text, jsonb, bytea, uuid,
    text, jsonb, text, integer, integer, text, text);
drop function accept_document(uuid, uuid, text, uuid, text, text, bigint, text, text, text, text, jsonb, bytea, uuid,
    text, jsonb, text, integer, integer, text, text, text, jsonb);
"""

ACCEPT = """
create function accept_document(
    in_tenant uuid, in_scope_project uuid, in_project text, in_document uuid, in_filename text, in_media_type text,
    in_size bigint, in_sha256 text, in_schema_ref text, in_engine text, in_webhook_url text, in_metadata jsonb,
    in_sealed_password bytea, in_job uuid, in_job_type text, in_args jsonb, in_queue text, in_priority integer,
    in_max_attempts integer, in_key text, in_fingerprint text, in_api_key text,
    in_reading jsonb,
    out project text, out metadata jsonb, out duplicate_of uuid, out created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    chosen uuid;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    perform from api_keys
    where id = in_api_key and revoked_at is null and (expires_at is null or expires_at > clock_timestamp());
    if not found then
        raise exception using errcode = 'DS401', message = 'the API key was revoked or has expired';
    end if;
    select projects.id, projects.name into chosen, project from projects
    where tenant_id = in_tenant and (name = in_project or in_project is null and id = in_scope_project);
    if not found then
        return;
    end if;
    created_at := clock_timestamp();
    insert into documents (id, tenant_id, project_id, job_id, filename, media_type, size, sha256, schema_ref, engine,
                           webhook_url, metadata, sealed_password, reading, created_at, updated_at, duplicate_of)
    values (in_document, in_tenant, chosen, in_job, in_filename, in_media_type, in_size, in_sha256, in_schema_ref,
            in_engine, in_webhook_url, in_metadata, in_sealed_password, in_reading, accept_document.created_at,
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
    insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, turn,
                      status)
    select in_job, in_tenant, chosen, in_document, in_job_type, in_args, in_queue, in_priority, in_max_attempts,
           next_turn(in_queue, in_priority, in_tenant, 1 / weight), 'pending'
    from tenants where id = in_tenant;
end $$;
grant create on schema public to docsieve_app;
alter function accept_document owner to docsieve_app;
revoke create on schema public from docsieve_app;
"""


def upgrade() -> None:
    run_script(RENAME)
    run_script(ACCEPT)
