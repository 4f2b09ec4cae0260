create function delivery_attempt_lost() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    with interrupted as (
        update webhook_deliveries set attempts = attempts + 1, last_attempt_at = old.started_at, last_status = null,
            last_error = 'interrupted'
        where id = (new.args ->> 'delivery_id')::uuid and job_id = new.id and status = 'pending'
        returning id, tenant_id, project_id, attempts)
    insert into webhook_attempts (delivery_id, number, tenant_id, project_id, started_at, duration_ms, error_code)
    select id, attempts, tenant_id, project_id, old.started_at,
           extract(epoch from clock_timestamp() - old.started_at) * 1000, 'interrupted'
    from interrupted;
    return null;
end $$;
comment on function delivery_attempt_lost is
    'Logs the attempt of a worker that was lost. Whether the receiver got the message is not known. Triggers run in the '
    'order of their names: this one before delivery_follows_job, which may give the delivery another job.';

create trigger delivery_attempt_lost after update of rescues on jobs
for each row when (new.job_type = 'deliver_webhook' and new.rescues > old.rescues)
execute function delivery_attempt_lost();

comment on column webhook_attempts.duration_ms is 'For an interrupted attempt, until that was noticed.';

alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
    check (actor_kind in ('key', 'session', 'scheduler', 'rule', 'system'));
comment on column audit_log.actor_kind is
    'An API key, a dashboard session of one, a scheduler outside, a rule, or the server itself.';
comment on column audit_log.actor_id is
    'The id of the key, the subject of the scheduler''s token, or the name of the rule.';
comment on table audit_log is
    'Who did what, when and from where. Written by append_audit only. Numbers have no gaps, and each hash covers the '
    'entry and the hash before it, so that an entry that was changed or removed is detected. If the oldest were pruned, '
    'the newest entry audit.pruned has the number and the hash of the last of them. No foreign keys: entries remain '
    'when what they are about is deleted.';

-- for streams of keys that are restricted to a project
create index events_by_project on events (project_id, txid, seq) where project_id is not null;
