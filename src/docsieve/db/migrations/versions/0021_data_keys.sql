create table data_keys (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    wrapped bytea not null,
    master text not null,
    created_at timestamptz not null default clock_timestamp(),
    retired_at timestamptz,
    resealed integer not null default 0 check (resealed >= 0)
);
comment on table data_keys is
    'The keys that encrypt the blobs of tenants, themselves encrypted with a master key, which is not in the database.';
comment on column data_keys.master is 'Which master key wrapped it: a fingerprint.';
comment on column data_keys.retired_at is 'When a newer key replaced it. It still opens the blobs it has sealed.';
comment on column data_keys.resealed is
    'How many of the folders of the tenant were searched for blobs that are not sealed with this key.';
create unique index data_keys_current on data_keys (tenant_id) where retired_at is null;
create index data_keys_by_tenant on data_keys (tenant_id);

alter table tenant_deletions add column data_keys integer not null default 0;
alter table tenant_deletions add column data_keys_deleted_at timestamptz;
comment on column tenant_deletions.data_keys is 'How many keys were deleted at the beginning, which made all blobs unreadable.';
