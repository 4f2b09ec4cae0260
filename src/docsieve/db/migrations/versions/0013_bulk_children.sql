-- Once per statement instead of once per row: an archive adds more than a thousand documents at once.
drop trigger join_batches_of_parent on documents;

create or replace function join_batches_of_parent() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    parent uuid;
begin
    for parent in select distinct parent_id from added where parent_id is not null order by parent_id loop
        -- whoever adds the parent to a batch locks it too, and so either sees these documents or is seen here
        perform from documents where id = parent for share;
        insert into batch_documents (batch_id, document_id, tenant_id, project_id)
        select its.batch_id, added.id, its.tenant_id, its.project_id
        from batch_documents as its, added
        where its.document_id = parent and added.parent_id = parent;
    end loop;
    return null;
end $$;

create trigger join_batches_of_parent after insert on documents referencing new table as added
for each statement execute function join_batches_of_parent();
