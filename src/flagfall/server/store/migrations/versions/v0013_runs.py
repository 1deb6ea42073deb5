"""The runs of quick games that guests have asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "runs",
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("sort", sa.String(8), nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("results", sa.Text, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("guest", "sort"),
    )
    op.create_index("runs_by_age", "runs", ["started_ms"])
