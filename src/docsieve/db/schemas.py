"""A tenant's own schemas; the content of a version is the schema as JSON."""

from docsieve.db.versions import Versions

SCHEMAS = Versions("schema")
