create table uploads (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid not null references projects on delete cascade,
    filename text not null,
    size bigint not null check (size > 0),
    sha256 text,
    part_bytes bigint not null check (part_bytes > 0),
    options jsonb not null,
    sealed_password bytea,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    document_id uuid
);
comment on table uploads is
    'Files that clients send to the blob store themselves, in parts. Completed, an upload is a document.';
comment on column uploads.sha256 is 'What the client says; null if it does not know yet.';
comment on column uploads.options is 'The options of the upload, except its password.';
comment on column uploads.document_id is 'What the completed upload became, which may have been deleted since.';
comment on column uploads.expires_at is 'When the signed requests end. An upload that is not completed is deleted then.';
create index uploads_by_tenant on uploads (tenant_id);
create index uploads_by_project on uploads (project_id);
create index uploads_to_delete on uploads (expires_at);
