"""The language in which each device is told that it is its guest's turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; devices of an older version are told in English."""
    language = sa.Column("language", sa.String(8), nullable=False, server_default="en")
    op.add_column("push_subscriptions", language)
