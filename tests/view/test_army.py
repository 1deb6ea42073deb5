"""Possible kinds of an army, against trying every assignment and every link of a return to a loss."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from flagfall.view.army import Army
from tests.laws import MORE
from tests.laws.oracle import permutations


class Truth:
    """An army that lives through random events, remembers them, and tells an outsider of each."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.counts = tuple(rng.randint(1, 2) for _ in range(rng.randint(2, 4)))
        kinds = [kind for kind, count in enumerate(self.counts) for _ in range(count)]
        rng.shuffle(kinds)
        self.size = len(kinds)
        self.army = Army(self.counts)
        self.kind = dict(enumerate(kinds))
        self.stands = {str(piece): piece for piece in self.kind}
        """name → piece, of those on the board"""
        self.allowed: list[tuple[str, int]] = []
        self.returns: list[tuple[str, list[str]]] = []
        """new name, and the names that were lost by then"""
        self.lost: dict[str, int] = {}
        for name in self.stands:
            self.army.stands(name)

    def live(self, returns: int) -> None:
        """Something happens: actions, losses, returns."""
        for _ in range(self.rng.randint(3, 9)):
            self._deed()
            if self.stands and self.rng.random() < 0.6:
                self._lose()
            if self.lost and len(self.returns) < returns and self.rng.random() < 0.5:
                self._return()

    def _deed(self) -> None:
        name = self.rng.choice([*self.stands, *self.lost])
        piece = self.stands.get(name, self.lost.get(name, 0))
        mask = 1 << self.kind[piece] | self.rng.getrandbits(len(self.counts))
        self.allowed.append((name, mask))
        self.army.allow(name, mask)

    def _lose(self) -> None:
        name = self.rng.choice(list(self.stands))
        self.lost[name] = self.stands.pop(name)
        self.army.lose(name)

    def _return(self) -> None:
        gone = self.rng.choice(list(self.lost))
        name = f"+{len(self.returns) + 1}"
        off = [token.name for token in self.army.tokens.values() if token.is_lost]
        self.returns.append((name, off))
        self.stands[name] = self.lost.pop(gone)
        self.army.rescue(name, (1 << len(self.counts)) - 1)

    def brute_force(self) -> dict[str, int]:
        """Every assignment with every way of linking returns to losses."""
        found = dict.fromkeys(self.army.tokens, 0)
        kinds = [kind for kind, count in enumerate(self.counts) for _ in range(count)]
        for links in product(*(off for _, off in self.returns)):
            if len(set(links)) < len(links):
                continue
            root = {str(piece): piece for piece in range(self.size)}
            for (name, _), link in zip(self.returns, links, strict=True):
                root[name] = root[link]
            for order in permutations(kinds):
                if all(mask >> order[root[name]] & 1 for name, mask in self.allowed):
                    for name, piece in root.items():
                        found[name] |= 1 << order[piece]
        return found


@pytest.mark.parametrize("returns", [0, 1, 2])
def test_possible_kinds_are_those_of_some_assignment_and_some_links(returns: int) -> None:
    most = 0
    for seed in range(150 * MORE):
        truth = Truth(Random(f"army {returns} {seed}"))
        truth.live(returns)
        expected = truth.brute_force()
        assert {name: truth.army.kinds_of(name) for name in truth.army.tokens} == expected, seed
        most = max(most, len(truth.returns))
    assert most == returns
