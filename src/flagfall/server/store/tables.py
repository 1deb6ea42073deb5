"""The tables of the current schema; `migrations/` leads to it."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

guests = Table(
    "guests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_ms", BigInteger, nullable=False),
)

bans = Table(
    "bans",
    metadata,
    Column("subject", String(64), primary_key=True),
    Column("reason", String(200), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=True),
)
"""guests, addresses and networks that are not served; without an end: permanently"""

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""facts about this database: the anchor of its clock, the last check"""

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("options", Text, nullable=False),
    Column("opponent", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("host", ForeignKey("guests.id"), nullable=False),
    Column("host_side", String(8), nullable=False),
    Column("invitation", String(64), nullable=True, unique=True),
    Column("south", ForeignKey("guests.id"), nullable=True),
    Column("north", ForeignKey("guests.id"), nullable=True),
    Column("south_name", String(80), nullable=False),
    Column("north_name", String(80), nullable=False),
    Column("south_level", String(40), nullable=False),
    Column("north_level", String(40), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("falls_at_ms", BigInteger, nullable=True),
    Column("to_move", String(8), nullable=True),
    Column("updated_ms", BigInteger, nullable=False, server_default="0"),
    Column("winner", String(8), nullable=False),
    Column("reason", String(40), nullable=False),
    Column("rematch_asked", String(16), nullable=False),
    Column("rematch", String(32), nullable=False),
    Index("matches_by_status", "status", "opponent"),
    Index("matches_of_south", "south"),
    Index("matches_of_north", "north"),
    Index("matches_of_host", "host"),
    Index("matches_by_clock", "status", "falls_at_ms"),
    Index("matches_by_game", "game"),
)

log = Table(
    "log",
    metadata,
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("entry", Text, nullable=False),
    PrimaryKeyConstraint("match_id", "number"),
)

chat = Table(
    "chat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("match_id", ForeignKey("matches.id"), nullable=False, index=True),
    Column("seat", String(8), nullable=False),
    Column("phrase", String(40), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("seat", String(8), nullable=False),
    Column("piece", String(16), nullable=False),
    Column("text", String(48), nullable=False),
    PrimaryKeyConstraint("match_id", "seat", "piece"),
)

setups = Table(
    "setups",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("guest", ForeignKey("guests.id"), nullable=False),
    Column("game", String(80), nullable=False),
    Column("side", String(8), nullable=False),
    Column("name", String(160), nullable=False),
    Column("code", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    # one on a line
    Column("own_tags", Text, nullable=False, server_default=""),
    UniqueConstraint("guest", "game", "side", "name", name="setups_by_name"),
)

facts = Table(
    "facts",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("facts", Text, nullable=False),
)
"""numbers of finished games for statistics, as JSON; empty: the game cannot be counted"""

removed = Table(
    "removed",
    metadata,
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("guest", ForeignKey("guests.id"), nullable=False),
    PrimaryKeyConstraint("match_id", "guest"),
    Index("removed_by_guest", "guest"),
)
"""games with other people that a guest has removed from their own list"""

reviews = Table(
    "reviews",
    metadata,
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("analyst", String(40), nullable=False),
    Column("first", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    Column("steps", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("match_id", "analyst", "first"),
)
"""analysed turns of finished games, some in each row; they can be worked out again"""

puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("guest", String(32), nullable=False),
    Column("puzzle", String(80), nullable=False),
    Column("is_solved", Integer, nullable=False),
    PrimaryKeyConstraint("guest", "puzzle"),
    Index("attempts_by_puzzle", "puzzle", "is_solved"),
)
"""the first outcome of each guest in each puzzle; `flagfall admin prune` deletes those of deleted guests"""

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", String(43), primary_key=True),
    Column("guest", String(32), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("language", String(8), nullable=False, server_default="en"),
    Index("subscriptions_of_guest", "guest"),
)
"""devices on which guests are told that it is their turn"""


reminders = Table(
    "reminders",
    metadata,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("falls_at_ms", BigInteger, nullable=False),
)
"""for each match by day: the end of time of which its player was reminded last"""

records = Table(
    "records",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("guest", ForeignKey("guests.id"), nullable=False),
    Column("record", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("records_of_guest", "guest", "created_ms"),
)
"""records of games that guests have opened, packed; each for its guest alone"""

record_reviews = Table(
    "record_reviews",
    metadata,
    Column("record_id", ForeignKey("records.id"), nullable=False),
    Column("analyst", String(40), nullable=False),
    Column("first", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    Column("steps", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("record_id", "analyst", "first"),
)
"""analysed turns of opened records, as in ``reviews``"""

box_versions = Table(
    "box_versions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("text", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)
"""texts of boxes that matches are played with, or can be; the id is made from the text"""

boxes = Table(
    "boxes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("guest", ForeignKey("guests.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("is_valid", Integer, nullable=False),
    Column("version", String(32), nullable=False),
    Column("info", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Index("boxes_of_guest", "guest"),
    Index("boxes_by_version", "version"),
)
"""boxes that guests write: the text as it was saved last, and the last version that could be played"""

runs = Table(
    "runs",
    metadata,
    Column("guest", String(32), nullable=False),
    Column("sort", String(8), nullable=False),
    Column("seed", String(40), nullable=False),
    Column("games", Integer, nullable=False),
    Column("facts", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("results", Text, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("guest", "sort"),
    Index("runs_by_age", "started_ms"),
)
"""the last run of quick games of each guest in the lab and in the workshop; it goes on after a restart"""

TABLE_NAMES = tuple(table.name for table in metadata.sorted_tables)
"""the names of all tables; each comes after those to which its rows refer"""
TABLES_OF_MATCHES = tuple(table.name for table in metadata.sorted_tables if "match_id" in table.c)
"""the names of the tables whose rows belong to a match"""
