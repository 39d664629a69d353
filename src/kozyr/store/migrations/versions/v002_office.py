"""The operator's acts, which stay, and who may say nothing."""
from __future__ import annotations

from alembic import op

revision = "v002"
down_revision = "v001"

OFFICE = (
    """
    CREATE TABLE acts (
        number bigint PRIMARY KEY,
        at bigint NOT NULL,
        address text NOT NULL,
        what text NOT NULL,
        about text NOT NULL,
        words text NOT NULL
    )
    """,
    "CREATE TRIGGER acts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON acts FOR EACH STATEMENT EXECUTE FUNCTION stays()",
    'CREATE TABLE mutes (guest text COLLATE "C" PRIMARY KEY, until bigint NOT NULL)',
)


def upgrade() -> None:
    """Make the tables of the operator."""
    for statement in OFFICE:
        op.execute(statement)
