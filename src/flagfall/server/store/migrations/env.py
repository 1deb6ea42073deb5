"""Alembic runs the migrations on the connection that `migrate` opened."""

from __future__ import annotations

from alembic import context

from flagfall.server.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True
)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
