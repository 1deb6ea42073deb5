"""The tags that guests give to their saved setups."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column; setups that were saved before have no tags of their own."""
    op.add_column("setups", sa.Column("own_tags", sa.Text, nullable=False, server_default=""))
