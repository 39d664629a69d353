"""Sessions that were logged out."""
from __future__ import annotations

from alembic import op

revision = "v003"
down_revision = "v002"

SESSIONS = (
    'CREATE TABLE ended (session text COLLATE "C" PRIMARY KEY, until bigint NOT NULL)',
    "CREATE INDEX ended_until ON ended (until)",
)


def upgrade() -> None:
    """Make the table of sessions."""
    for statement in SESSIONS:
        op.execute(statement)
