create table early_pages (
    document_id uuid not null references documents (id) on delete cascade,
    number integer not null,
    tenant_id uuid not null,
    project_id uuid not null,
    frame bytea not null,
    primary key (document_id, number)
);
alter table early_pages alter column frame set storage external;
comment on table early_pages is
    'Pages of documents that are being read for the first time, so that they can be shown. Gone when the reading ends.';
comment on column early_pages.frame is 'The page as in a page file.';

-- With the first search results of these pages, unless all of them have just been replaced by the complete ones.
create function forget_early_pages() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from early_pages where document_id = new.id;
    if found then
        delete from chunks where document_id = new.id;
    end if;
    return null;
end $$;
comment on function forget_early_pages is 'No document shows a part of its pages as if they were all.';

create trigger forget_early_pages after update of status on documents for each row
    when (old.status = 'processing' and not document_in_progress(new.status) and new.pages_key is null)
    execute function forget_early_pages();

-- Its receivers would get one for every few pages; those who look at a document follow the event stream.
drop trigger dispatch_event on events;
create trigger dispatch_event after insert on events
    for each row when (new.type <> 'document.pages_read') execute function dispatch_event();
