"""What an outsider knows of one army: the kinds that each piece can still be.

With silent defence a fight shows only which piece was removed; the kinds for which the combat table gives
that outcome remain. A piece that was rescued in silence is one of those lost before: every way of linking it
to a lost piece is tried.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from flagfall.view.assignment import possible


class Token(NamedTuple):
    """One piece of the army, as an outsider sees it."""

    name: str
    kinds: int
    """the kinds that fit its actions, as a bit set"""
    is_told: bool = False
    is_lost: bool = False
    was: tuple[str, ...] = ()
    """for a rescued piece: the lost pieces that it may be"""


_fresh_token = lru_cache(maxsize=20_000)(Token)
"""a piece of which nothing is known yet; all matches of a game share the value, to save memory"""


@dataclass
class Army:
    """One army, as an outsider sees it."""

    counts: tuple[int, ...]
    tokens: dict[str, Token] = field(default_factory=dict)
    _answer: dict[str, int] | None = None

    def copy(self) -> Army:
        """Return an independent copy."""
        return Army(self.counts, dict(self.tokens), self._answer)

    def stands(self, name: str) -> None:
        """Add a piece that stands on its starting square."""
        roster = sum(1 << kind for kind, count in enumerate(self.counts) if count)
        self.tokens[name] = _fresh_token(name, roster)

    def allow(self, name: str, kinds: int) -> None:
        """Restrict a piece to these kinds, because only they can do what it did."""
        token = self.tokens[name]
        if token.kinds & kinds != token.kinds:
            self.tokens[name] = token._replace(kinds=token.kinds & kinds)
            self._answer = None

    def show(self, name: str, kind: int) -> None:
        """Note that a piece was shown."""
        self.tokens[name] = self.tokens[name]._replace(is_told=True)
        self.allow(name, 1 << kind)

    def lose(self, name: str) -> None:
        """Note that a piece left the board."""
        self.tokens[name] = self.tokens[name]._replace(is_lost=True)

    def rescue(self, name: str, kinds: int) -> None:
        """Note that a lost piece of one of these kinds came back under a new name."""
        lost = tuple(token.name for token in self.tokens.values() if token.is_lost and token.kinds & kinds)
        self.tokens[name] = Token(name, kinds, was=lost)
        self._answer = None

    def kinds_of(self, name: str) -> int:
        """Return the kinds that a piece can be, as a bit set, given everything known."""
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
            union = reduce(or_, (answer[name] for name in names))
            answer.update(dict.fromkeys(names, union))
        return answer

    def _look_alikes(self, rescued: list[Token]) -> list[list[str]]:
        """Return groups of pieces that nothing distinguishes, not even when they were lost."""
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
        groups = sorted(Counter(kinds.values()).items())
        if groups[0][0] == 0:
            return
        found = possible(groups, self.counts)
        if found is None:
            return
        result = dict(zip((mask for mask, _ in groups), found, strict=True))
        for name, mask in kinds.items():
            answer[name] |= result[mask]
        for token in rescued:
            answer[token.name] |= result[kinds[root[token.name]]]
