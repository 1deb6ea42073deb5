"""A small program in the place of a person's head: it knows the State that the page was sent, and no more."""

from __future__ import annotations

from random import Random

from tests.server.served import Json

UNTOUCHED = 3
"""how much more an enemy is worth that has never moved: it may be the Flag"""


def steer(state: Json, rng: Random) -> Json:
    """What to do: strike what may be the Flag, walk towards the enemy's back row, answer what is asked."""
    choices: list[Json] = state["choices"]
    scored = [(_score(state, choice) + rng.random(), at) for at, choice in enumerate(choices)]
    return choices[max(scored)[1]]


def _score(state: Json, choice: Json) -> float:
    if choice["verb"] == "done":
        return -5
    if not choice["is_likely"]:
        return -10
    pieces = {piece["cell"]: piece for piece in state["view"]["pieces"]}
    if choice["is_attack"]:
        return _strike(pieces[choice["target"]])
    enemies = [piece for piece in pieces.values() if piece["side"] != state["viewer"]]
    if not choice["origin"] or not choice["target"][1:].isdecimal() or choice["verb"] != "move":
        return 0
    goals = [piece["cell"] for piece in enemies if not piece.get("kind") and not piece.get("moved")]
    goals = goals or [piece["cell"] for piece in enemies]
    nearer = min(_far(choice["origin"], goal) for goal in goals) - min(
        _far(choice["target"], goal) for goal in goals
    )
    is_back = choice["origin"] in _came_from(state)
    return nearer - (2 if is_back and nearer <= 0 else 0)


def _strike(enemy: Json) -> float:
    if enemy.get("kind"):
        return 20 if enemy["kind"] == "flag" else -1
    return 4 + (0 if enemy.get("moved") else UNTOUCHED)


def _came_from(state: Json) -> set[str]:
    return {event.get("target", "") for event in state["view"].get("last_turn", ())}


def _far(one: str, other: str) -> int:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:]))
