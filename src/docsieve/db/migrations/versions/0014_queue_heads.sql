create table queue_heads (
    queue text not null,
    priority integer not null,
    floor double precision not null,
    start double precision not null,
    moved_at timestamptz not null default clock_timestamp(),
    primary key (queue, priority)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
comment on table queue_heads is
    'Where the pending jobs of a queue and priority begin. Claims read from there on: before it are entries of jobs that were claimed, which vacuum cannot remove while a snapshot is held. Moved by workers, forward only.';
comment on column queue_heads.floor is
    'Claims read turns from here on. It is the start of one move earlier, so that a job whose turn was computed before the move is not behind it. The few that are still behind it are lifted, see lift in db/queue/heads.py.';
comment on column queue_heads.start is 'New jobs get this turn or a later one.';

-- Ascending in all columns, so that one row comparison can start a scan in the middle.
drop index jobs_ready;
create index jobs_ready on jobs (queue, (-priority), turn, id) where status = 'pending';

-- An index entry for each job made a bulk enqueue a fifth slower, and only the last turn of a tenant is looked up.
alter table jobs add column marks_turn boolean not null default true;
comment on column jobs.marks_turn is
    'Whether next_turn finds the job. Of jobs that are enqueued together, some do: the last, and enough others that little is lost if it is cancelled.';
drop index jobs_turns;
create index jobs_turns on jobs (tenant_id, priority, queue, turn) where status = 'pending' and marks_turn;

create or replace function next_turn(in_queue text, in_priority integer, in_tenant uuid, in_step double precision)
    returns double precision
    language sql stable security definer
    set search_path = public, pg_temp
    as $$
    select greatest(
        head.start,
        (select turn from jobs
         where queue = in_queue and status = 'pending' and -priority = -in_priority and turn >= head.floor
         order by turn, id limit 1),
        (select turn + in_step from jobs
         where queue = in_queue and status = 'pending' and priority = in_priority and tenant_id = in_tenant
           and marks_turn and turn >= head.floor
         order by turn desc limit 1))
    from (select coalesce(max(start), 0) as start, coalesce(max(floor), '-infinity') as floor
          from queue_heads where queue = in_queue and priority = in_priority) as head
$$;
comment on function next_turn(text, integer, uuid, double precision) is
    'The turn of a tenant''s next job: one step after the tenant''s last pending job, or the head of the queue if the tenant has none. This is start-time fair queueing without a shared counter: a tenant with a million jobs does not delay the first job of another. Runs as the owner because it compares tenants; it returns only a number.';

create or replace function queue_position(in_job uuid, at_most integer) returns bigint
    language sql stable security definer
    set search_path = public, pg_temp
    as $$
    select case when me.status = 'pending' then (
        select count(*) from (
            select 1 from jobs ahead
            where ahead.queue = me.queue and ahead.status = 'pending'
              and (-ahead.priority, ahead.turn, ahead.id) <= (-me.priority, me.turn, me.id)
            limit at_most) as counted)
    end
    from jobs me where me.id = in_job
$$;

-- Rows are only added, so that no transaction waits for another to count. Workers add them up from time to time.
create table job_counts (
    tenant_id uuid not null,
    project_id uuid,
    queue text not null,
    job_type text not null,
    status text not null check (status in ('completed', 'failed', 'cancelled')),
    jobs bigint not null
);
comment on table job_counts is
    'Finished jobs; the number is the sum of all rows. Completed jobs are counted by the statement that completes them, all other changes by triggers.';
create index job_counts_by_tenant on job_counts (tenant_id);

insert into job_counts
select tenant_id, project_id, queue, job_type, status, count(*) from jobs
where status in ('completed', 'failed', 'cancelled')
group by tenant_id, project_id, queue, job_type, status;

create function count_ended_job() returns trigger
    language plpgsql security definer
    set search_path = public, pg_temp
    as $$
begin
    if old.status in ('completed', 'failed', 'cancelled') then
        insert into job_counts values (old.tenant_id, old.project_id, old.queue, old.job_type, old.status, -1);
    end if;
    if new.status in ('failed', 'cancelled') then
        insert into job_counts values (new.tenant_id, new.project_id, new.queue, new.job_type, new.status, 1);
    end if;
    return null;
end $$;
comment on function count_ended_job() is
    'Counts jobs that fail, are cancelled or are retried. As a trigger of statements it would see every claim, beat and completion.';
create trigger count_ended_job after update of status on jobs for each row
when (old.status is distinct from new.status
      and (old.status in ('completed', 'failed', 'cancelled') or new.status in ('failed', 'cancelled')))
execute function count_ended_job();

create function uncount_deleted_jobs() returns trigger
    language plpgsql security definer
    set search_path = public, pg_temp
    as $$
begin
    insert into job_counts
    select tenant_id, project_id, queue, job_type, status, -count(*) from deleted
    where status in ('completed', 'failed', 'cancelled')
    group by tenant_id, project_id, queue, job_type, status;
    return null;
end $$;
create trigger uncount_deleted_jobs after delete on jobs referencing old table as deleted
for each statement execute function uncount_deleted_jobs();
