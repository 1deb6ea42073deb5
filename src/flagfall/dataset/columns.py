"""The columns of a dataset: their names, their Parquet types and what they hold.

`docs/dataset.md` describes each; a test compares the page with this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flagfall.dataset.arrow import arrow
from flagfall.dataset.description import Description

Sort = Literal["number", "text", "planes", "scalars", "list"]


@dataclass(frozen=True)
class Column:
    """One column of a dataset."""

    name: str
    type: str
    """of a value, or of an item of a list, as Arrow calls it"""
    sort: Sort = "number"
    is_usual: bool = True
    """whether readers give it without being asked"""


OTHER = ("other_planes", "other_scalars")
"""what the side that waits may know"""
TRUTH = ("truth_planes",)
"""what the mover may not know"""
COLUMNS = (
    Column("game", "int32"),
    Column("ply", "int32"),
    Column("turn", "int32"),
    Column("mover", "int8"),
    Column("planes", "binary", "planes"),
    Column("scalars", "int16", "scalars"),
    Column("other_planes", "binary", "planes", is_usual=False),
    Column("other_scalars", "int16", "scalars", is_usual=False),
    Column("legal", "int32", "list"),
    Column("action", "int32"),
    Column("search_value", "float32", is_usual=False),
    Column("action_values", "float32", "list", is_usual=False),
    Column("outcome", "int8"),
    Column("is_finished", "bool"),
    Column("plies_left", "int32"),
    Column("reason", "string", "text", is_usual=False),
    Column("south_player", "string", "text", is_usual=False),
    Column("north_player", "string", "text", is_usual=False),
    Column("truth_planes", "binary", "planes", is_usual=False),
)
BY_NAME = {column.name: column for column in COLUMNS}
MAY_BE_NULL = frozenset({"search_value", "action_values"})


def columns_of(described: Description) -> list[Column]:
    """Return the columns that a dataset has."""
    left_out = {*(() if described.plan.other else OTHER), *(() if described.plan.truth else TRUTH)}
    return [column for column in COLUMNS if column.name not in left_out]


def plane_bits(described: Description, name: str) -> int:
    """Return how many bits a column of planes has for each position."""
    count = described.kinds if name in TRUTH else len(described.planes.south)
    return count * described.rows * described.columns


def schema(described: Description, metadata: dict[str, str] | None = None) -> Any:
    """Return the Arrow schema of a dataset."""
    pa = arrow()
    fields = []
    for column in columns_of(described):
        kind: Any
        if column.sort == "planes":
            kind = pa.binary((plane_bits(described, column.name) + 7) // 8)
        elif column.sort == "scalars":
            kind = pa.list_(pa.int16(), len(described.scalars.south))
        elif column.sort == "list":
            kind = pa.list_(pa.field("item", pa.type_for_alias(column.type), nullable=False))
        elif column.sort == "text":
            kind = pa.dictionary(pa.int32(), pa.string())
        else:
            kind = pa.type_for_alias(column.type)
        fields.append(pa.field(column.name, kind, nullable=column.name in MAY_BE_NULL))
    return pa.schema(fields, metadata)


def names(columns: Sequence[Column]) -> list[str]:
    """Return the names of columns."""
    return [column.name for column in columns]
