"""Guests, matches, the log and the phrases said at the table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "guests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("opponent", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("host", sa.String(32), sa.ForeignKey("guests.id"), nullable=False),
        sa.Column("host_side", sa.String(8), nullable=False),
        sa.Column("invitation", sa.String(64), nullable=True, unique=True),
        sa.Column("south", sa.String(32), sa.ForeignKey("guests.id"), nullable=True),
        sa.Column("north", sa.String(32), sa.ForeignKey("guests.id"), nullable=True),
        sa.Column("south_name", sa.String(80), nullable=False),
        sa.Column("north_name", sa.String(80), nullable=False),
        sa.Column("south_level", sa.String(40), nullable=False),
        sa.Column("north_level", sa.String(40), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("falls_at_ms", sa.BigInteger, nullable=True),
        sa.Column("winner", sa.String(8), nullable=False),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("rematch_asked", sa.String(16), nullable=False),
        sa.Column("rematch", sa.String(32), nullable=False),
    )
    op.create_index("matches_by_status", "matches", ["status", "opponent"])
    op.create_index("matches_of_south", "matches", ["south"])
    op.create_index("matches_of_north", "matches", ["north"])
    op.create_index("matches_of_host", "matches", ["host"])
    op.create_table(
        "log",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "number"),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.id"), nullable=False),
        sa.Column("seat", sa.String(8), nullable=False),
        sa.Column("phrase", sa.String(40), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_chat_match_id", "chat", ["match_id"])
