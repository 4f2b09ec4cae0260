alter table projects
    add column class_schemas jsonb not null default '{}';
comment on column projects.class_schemas is
    'Changes to the built-in map from document classes to schemas; null removes a class from it.';

alter table documents
    add column no_fields jsonb;
comment on column documents.schema_ref is
    'What the upload said: a schema name with or without a version, auto, none, or a JSON Schema. Null leaves it to the '
    'project.';
comment on column documents.no_fields is
    'Code and message of the reason why reading chose no schema, if one was to be chosen by the class of the document.';
