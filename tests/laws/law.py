"""What laws of random games have in common: each game is played once, and all laws of all files look on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from tests.laws.seen_game import Step, cases_of, steps

LAWS: list[type[Law]] = []
"""those of all files that were imported, in the order of their definitions"""


@dataclass
class Law:
    """Something to check at the moments of one game."""

    rng: Random
    tried: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    """how often it was tried with each verb, where that matters"""

    def __init_subclass__(cls) -> None:
        LAWS.append(cls)

    def check(self, step: Step) -> None:
        """Raise an error if the law is broken."""
        raise NotImplementedError


@dataclass
class Verdict:
    """How a law fared in all random games of a box."""

    tried: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    failure: Exception | None = None


@lru_cache(maxsize=1)
def _verdicts(game_id: str) -> dict[type[Law], Verdict]:
    """Play the random games of a box under all laws; a law that is broken is not checked again."""
    found = {law: Verdict() for law in LAWS}
    for case in cases_of(game_id):
        laws = [law(Random(f"{law.__name__} in {case}")) for law in LAWS if not found[law].failure]
        for step in steps(case):
            for law in list(laws):
                try:
                    law.check(step)
                except Exception as failure:
                    found[type(law)].failure = failure
                    laws.remove(law)
        for law in laws:
            found[type(law)].tried += law.tried
            found[type(law)].verbs += law.verbs
    return found


def verdict_on(game_id: str, law: type[Law]) -> Verdict:
    """Return how the law fared; raise what broke it."""
    verdict = _verdicts(game_id)[law]
    if verdict.failure:
        raise verdict.failure
    return verdict


def tried(game_id: str, law: type[Law]) -> int:
    """Return how often the law was tried; raise what broke it."""
    return verdict_on(game_id, law).tried
