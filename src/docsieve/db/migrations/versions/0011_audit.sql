create table audit_log (
    tenant_id uuid not null,
    number bigint not null check (number > 0),
    at timestamptz not null,
    project_id uuid,
    actor_kind text not null check (actor_kind in ('key', 'session', 'rule', 'system')),
    actor_id text,
    actor_name text,
    remote_address text,
    forwarded_for text,
    action text not null,
    object_type text not null,
    object_id text,
    details json not null,
    hash bytea not null,
    primary key (tenant_id, number)
);
comment on table audit_log is
    'Who did what, when and from where. Written by append_audit only. Numbers have no gaps, and each hash covers the '
    'entry and the hash before it, so that an entry that was changed or removed is detected. No foreign keys: entries '
    'remain when what they are about is deleted.';
comment on column audit_log.actor_kind is 'An API key, a dashboard session of one, a rule, or the server itself.';
comment on column audit_log.actor_id is 'The id of the key, or the name of the rule.';
comment on column audit_log.forwarded_for is 'The X-Forwarded-For header as it was sent. Not verified.';
comment on column audit_log.details is 'json rather than jsonb, which would not keep the text that was hashed.';
create index audit_log_by_object on audit_log (tenant_id, object_id, number);
create index audit_log_by_action on audit_log (tenant_id, action, number);
create index audit_log_by_actor on audit_log (tenant_id, actor_id, number);
create index audit_log_by_time on audit_log (tenant_id, at);

create table audit_heads (
    tenant_id uuid primary key,
    entries bigint not null,
    hash bytea not null
) with (fillfactor = 50);
comment on table audit_heads is
    'The number of entries and the newest hash per tenant. The row is also the lock that puts entries in order.';

create function audit_hash(previous bytea, entry audit_log) returns bytea
language sql immutable parallel safe set search_path = public, pg_temp as $$
    select sha256(previous || convert_to(string_agg(
        case when value is null then '-' else octet_length(value) || ':' || value end, ',' order by place), 'UTF8'))
    from unnest(array[
        entry.tenant_id::text, entry.number::text, (extract(epoch from entry.at) * 1000000)::bigint::text,
        entry.project_id::text, entry.actor_kind, entry.actor_id, entry.actor_name, entry.remote_address,
        entry.forwarded_for, entry.action, entry.object_type, entry.object_id, entry.details::text])
        with ordinality as fields (value, place)
$$;
comment on function audit_hash(bytea, audit_log) is
    'SHA-256 of the hash before and the fields of an entry, each with its length, so that no two entries are written '
    'the same way. The same as entry_hash in domain/audit.py.';

create function append_audit(in_tenant uuid, in_entries jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    head audit_heads;
    added audit_log;
    given jsonb;
begin
    if current_setting('role') = 'docsieve_app' and in_tenant is distinct from scope_tenant() then
        raise insufficient_privilege using message = 'the audit log of another tenant';
    end if;
    insert into audit_heads (tenant_id, entries, hash) values (in_tenant, 0, '') on conflict do nothing;
    select * into head from audit_heads where tenant_id = in_tenant for update;
    for given in select value from jsonb_array_elements(in_entries) with ordinality order by ordinality loop
        head.entries := head.entries + 1;
        added.tenant_id := in_tenant;
        added.number := head.entries;
        added.at := clock_timestamp();
        added.project_id := (given ->> 'project_id')::uuid;
        added.actor_kind := given ->> 'actor_kind';
        added.actor_id := given ->> 'actor_id';
        added.actor_name := given ->> 'actor_name';
        added.remote_address := given ->> 'remote_address';
        added.forwarded_for := given ->> 'forwarded_for';
        added.action := given ->> 'action';
        added.object_type := given ->> 'object_type';
        added.object_id := given ->> 'object_id';
        added.details := (given ->> 'details')::json;
        added.hash := audit_hash(head.hash, added);
        insert into audit_log select added.*;
        head.hash := added.hash;
    end loop;
    update audit_heads set entries = head.entries, hash = head.hash where tenant_id = in_tenant;
end $$;
comment on function append_audit(uuid, jsonb) is
    'Adds entries to the audit log of a tenant, in the order of the array. Their details are JSON in a string. Locks '
    'the head of the log until the transaction ends, so it should be the last statement before the commit. Runs as the '
    'owner: requests can add entries in no other way, and cannot change or delete any.';
revoke execute on function append_audit(uuid, jsonb) from public;
grant execute on function append_audit(uuid, jsonb) to docsieve_app;
