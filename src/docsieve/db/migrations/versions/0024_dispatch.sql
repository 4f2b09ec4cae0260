-- One expression with a subquery per noun, and the insert of no deliveries, were most of what an event costs where there
-- are no webhooks: each noun has a statement of its own now, and without a receiver nothing more is run.

create or replace function dispatch_event() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    one_off text;
    added record;
begin
    if new.type in ('document.ready', 'document.failed', 'archive.unpacked') then
        select webhook_url into one_off from documents where id = new.subject_id;
    elsif new.type in ('extraction.completed', 'extraction.failed') then
        select webhook_url into one_off from extractions where id = new.subject_id and not is_report;
    elsif new.type in ('report.completed', 'report.failed') then
        select webhook_url into one_off from extractions where id = new.subject_id;
    elsif new.type = 'batch.completed' then
        select webhook_url into one_off from batches where id = new.subject_id;
    end if;
    if one_off is null and not exists (select from webhook_endpoints where tenant_id = new.tenant_id) then
        return null;
    end if;
    with receivers as (
        select id as endpoint_id, null as url, open_until from webhook_endpoints
        where tenant_id = new.tenant_id and (project_id is null or project_id = new.project_id)
          and case when new.type = 'webhook.test' then id = new.subject_id
                   else enabled and (events = '{}' or new.type = any(events)) end
        union all
        select null, one_off, null where one_off is not null),
    due as materialized (
        select *, new_event_id() as delivery_id, new_event_id() as job_id,
               case when new.type <> 'webhook.test' and open_until > clock_timestamp() then open_until end as until
        from receivers),
    delivery as (
        insert into webhook_deliveries (id, tenant_id, project_id, endpoint_id, url, event_id, event_type,
            event_created_at, subject_id, document_id, data, job_id, next_attempt_at)
        select delivery_id, new.tenant_id, new.project_id, endpoint_id, url, new.id, new.type, new.created_at,
               new.subject_id, new.document_id, new.data, job_id, coalesce(until, clock_timestamp())
        from due)
    select array_agg(delivery_id) as deliveries, array_agg(job_id) as jobs, array_agg(until) as untils into added
    from due;
    if added.deliveries is not null then
        perform enqueue_deliveries(new.tenant_id, new.project_id, added.deliveries, added.jobs, added.untils);
        perform pg_notify('docsieve_wake', 'webhook');
    end if;
    return null;
end $$;
