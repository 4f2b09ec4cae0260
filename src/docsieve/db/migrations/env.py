"""Alembic's entry: the connection comes from `docsieve.db.connection.migrate`, already under the migration lock."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
