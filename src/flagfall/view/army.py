"""What an outsider knows of one army: per piece the kinds it can still be.

Folded from public events and from what was shown. Under silent defence a fight tells only who was removed;
the kinds for which the combat table gives that outcome remain. A piece rescued in silence is one of those
lost before, nobody knows which: every way of linking it to a loss is tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from flagfall.view.assignment import possible


class Token(NamedTuple):
    """One piece of the army, as an outsider sees it; a value, shared by everybody who knows as much."""

    name: str
    kinds: int
    """the kinds that its actions allow, as a bit set"""
    is_told: bool = False
    is_lost: bool = False
    was: tuple[str, ...] = ()
    """for a rescued piece: the lost pieces one of which it is"""


@lru_cache(maxsize=20_000)
def _fresh_token(name: str, kinds: int) -> Token:
    """A piece of which nothing is known yet: the same value in every match of a game."""
    return Token(name, kinds)


@dataclass
class Army:
    """One army in an outsider's eyes."""

    counts: tuple[int, ...]
    tokens: dict[str, Token] = field(default_factory=dict)
    _answer: dict[str, int] | None = None

    def copy(self) -> Army:
        """An independent copy."""
        return Army(self.counts, dict(self.tokens), self._answer)

    def stands(self, name: str) -> None:
        """A piece was set up there."""
        self.tokens[name] = _fresh_token(name, self._roster())

    def _roster(self) -> int:
        return sum(1 << kind for kind, count in enumerate(self.counts) if count)

    def allow(self, name: str, kinds: int) -> None:
        """The piece did something that only these kinds can do."""
        token = self.tokens[name]
        if token.kinds & kinds != token.kinds:
            self.tokens[name] = token._replace(kinds=token.kinds & kinds)
            self._answer = None

    def show(self, name: str, kind: int) -> None:
        """The piece was shown."""
        self.tokens[name] = self.tokens[name]._replace(is_told=True)
        self.allow(name, 1 << kind)

    def lose(self, name: str) -> None:
        """The piece left the board."""
        self.tokens[name] = self.tokens[name]._replace(is_lost=True)

    def rescue(self, name: str, kinds: int) -> None:
        """Some lost piece came back under a new name."""
        lost = tuple(token.name for token in self.tokens.values() if token.is_lost and token.kinds & kinds)
        self.tokens[name] = Token(name, kinds, was=lost)
        self._answer = None

    def kinds_of(self, name: str) -> int:
        """The kinds a piece can be in some complete assignment that fits everything known."""
        if self._answer is None:
            self._answer = self._solve()
        return self._answer[name]

    def _solve(self) -> dict[str, int]:
        originals = [token for token in self.tokens.values() if not token.was]
        rescued = [token for token in self.tokens.values() if token.was]
        answer = dict.fromkeys(self.tokens, 0)
        alike = self._look_alikes(rescued)
        candidates = [
            [name for names in alike if names[0] in token.was for name in names[: len(rescued)]]
            for token in rescued
        ]
        for links in product(*candidates):
            self._try_links(originals, rescued, links, answer)
        for names in alike:
            together = 0
            for name in names:
                together |= answer[name]
            answer.update(dict.fromkeys(names, together))
        return answer

    def _look_alikes(self, rescued: list[Token]) -> list[list[str]]:
        """Pieces that nothing tells apart, not even when they were lost: a few of them stand for all."""
        found: dict[tuple[object, ...], list[str]] = {}
        for token in self.tokens.values():
            returns = tuple(other.name for other in rescued if token.name in other.was)
            found.setdefault((token.kinds, token.was, returns), []).append(token.name)
        return list(found.values())

    def _try_links(
        self, originals: list[Token], rescued: list[Token], links: tuple[str, ...], answer: dict[str, int]
    ) -> None:
        if len(set(links)) != len(links):
            return
        kinds = {token.name: token.kinds for token in originals}
        root: dict[str, str] = {}
        for token, link in zip(rescued, links, strict=True):
            origin = root.get(link, link)
            root[token.name] = origin
            kinds[origin] &= token.kinds
        sizes: dict[int, int] = {}
        for mask in kinds.values():
            sizes[mask] = sizes.get(mask, 0) + 1
        if 0 in sizes:
            return
        groups = sorted(sizes.items())
        found = possible(groups, self.counts)
        if found is None:
            return
        result = dict(zip((mask for mask, _ in groups), found, strict=True))
        for name, mask in kinds.items():
            answer[name] |= result[mask]
        for token in rescued:
            answer[token.name] |= result[kinds[root[token.name]]]
