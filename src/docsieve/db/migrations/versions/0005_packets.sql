alter table documents
    add column first_page integer,
    add column last_page integer,
    add column split_needs_review boolean,
    add constraint documents_page_range check (
        (first_page is null) = (last_page is null)
        and (first_page is null or (parent_id is not null and first_page >= 1 and last_page >= first_page)));
comment on column documents.first_page is
    'Set for a part of a packet: page 1 of the part is this page of the parent, up to last_page.';
comment on column documents.split_needs_review is
    'Whether cuts of the packet wait for a person. Null for a document that was not split.';
comment on column documents.reading is 'Options for reading: parser, OCR engine and languages, attachments, split.';
create unique index documents_by_page_range on documents (parent_id, first_page, last_page)
    where first_page is not null;
create index documents_with_cuts_to_review on documents (tenant_id, id desc) where split_needs_review;

create table packets (
    document_id uuid primary key references documents on delete cascade,
    tenant_id uuid not null,
    project_id uuid not null references projects,
    cuts jsonb not null default '[]',
    left_out jsonb not null default '[]',
    revision integer not null default 1,
    updated_at timestamptz not null default clock_timestamp()
);
comment on table packets is 'Documents that hold several documents, or were searched for them, and where they are cut.';
comment on column packets.cuts is
    'In the order of pages: after_page, confidence, reasons, state, decided_by. See Cut in domain/packets.py.';
comment on column packets.left_out is 'Blank pages and separator sheets, which belong to no part: page, reason.';
comment on column packets.revision is 'Counts changes, so that two people cannot undo each other''s by accident.';
create index packets_by_project on packets (project_id);
