"""Compare two JSON values by their fields and types, or by the values that programs read.

>>> differences(shape({"a": 1, "b": []}), shape({"a": 2, "b": [3], "c": None}))
[]
>>> differences(shape({"a": 1}), shape({"a": "1"}))
['.a was int, is str']
>>> differences(shape([{"a": 1}, {}]), shape([{}]))
[]
"""

from __future__ import annotations

from typing import Any

Json = Any

CHANGING = (
    *("id", "match", "invitation", "at_ms", "created_ms", "south_ms", "north_ms"),
    *("salt", "commitment", "commitments", "version", "is_here"),
)
"""fields that differ from one run to the next"""
WORDING = (
    *("sentence", "words", "prompt_words", "verdict", "text", "label", "chips"),
    *("game_name", "steps", "warnings", "name", "south", "north"),
)
"""fields for people, except the `text` of a choice, which a program may send back"""


def shape(value: Json) -> Json:
    """Return the fields and types of a value; the elements of a list are described by one common shape.

    >>> shape({"a": [{"b": 1, "c": None}, {"b": "x"}]})
    {'a': [{'b': 'int|str', 'c?': 'NoneType'}]}
    """
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    if isinstance(value, list):
        found: list[Json] = []
        for one in map(shape, value):
            found = [_merged(found[0], one)] if found else [one]
        return found
    return type(value).__name__


def _merged(one: Json, other: Json) -> Json:
    if isinstance(one, dict) and isinstance(other, dict):
        always = set(one) & set(other)
        ones, others = ({name.rstrip("?"): found for name, found in each.items()} for each in (one, other))
        return {
            name if name in always else f"{name}?": _merged(
                ones.get(name, others.get(name)), others.get(name, ones.get(name))
            )
            for name in ones | others
        }
    if isinstance(one, list) and isinstance(other, list):
        return [_merged(one[0], other[0])] if one and other else one or other
    return "|".join(sorted({*_types(one), *_types(other)}))


def _types(found: Json) -> list[str]:
    return found.split("|") if isinstance(found, str) else [type(found).__name__]


def differences(old: Json, new: Json, where: str = "") -> list[str]:
    """Return what an old client would miss: fields that are gone, and values of another type."""
    if isinstance(old, dict) and isinstance(new, dict):
        found = []
        for name, was in old.items():
            plain = name.rstrip("?")
            if plain in new:
                found += differences(was, new[plain], f"{where}.{plain}")
            elif f"{plain}?" in new and name != plain:
                found += differences(was, new[f"{plain}?"], f"{where}.{plain}")
            elif name == plain:
                found.append(f"{where}.{name} is not there, or not always")
        return found
    if isinstance(old, list) and isinstance(new, list):
        return differences(old[0], new[0], f"{where}[]") if old and new else []
    if set(_types(new)) <= set(_types(old)):
        return []
    return [f"{where} was {' or '.join(_types(old))}, is {' or '.join(_types(new))}"]


def read_by_programs(value: Json) -> Json:
    """Return a value without the fields that are for people or differ from one run to the next."""
    if isinstance(value, list):
        return [read_by_programs(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: read_by_programs(one) for name, one in value.items() if _is_read(name, one, value)}


def _is_read(name: str, value: Json, whole: Json) -> bool:
    is_notation = name == "text" and "action" in whole
    return is_notation or (name not in CHANGING and (name not in WORDING or isinstance(value, dict)))


def disagreements(old: Json, new: Json, where: str = "") -> list[str]:
    """Return where a value is not the one that an old client got; fields may have been added."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            text
            for name, was in old.items()
            for text in disagreements(was, new.get(name, "nothing"), f"{where}.{name}")
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [text for at, was in enumerate(old) for text in disagreements(was, new[at], f"{where}[{at}]")]
    return [] if old == new else [f"{where} was {old!r}, is {new!r}"]
