"""What Alembic runs to bring a database up, or to write the statements for it."""
from __future__ import annotations

from alembic import context

if context.is_offline_mode():
    context.configure(dialect_name="postgresql")
else:
    context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
