"""Refusals of the referee: a code for programs and one sentence for people."""

from __future__ import annotations

from typing import Literal

from flagfall.errors import FlagfallError

Code = Literal[
    "finished",
    "not-started",
    "started",
    "unknown-seat",
    "time",
    "not-your-turn",
    "stale-number",
    "unreadable",
    "illegal",
    "one-at-a-time",
    "setup",
    "not-training",
    "nothing-to-take-back",
    "offer-pending",
    "offered-already",
    "no-offer",
    "too-late-to-abort",
    "too-long",
    "hidden",
    "no-notes",
    "no-piece",
    "wrong-action",
]


class RefusedError(FlagfallError):
    """The referee refuses, and nothing has changed; but with ``time`` the flag has fallen.

    >>> refusal = RefusedError("not-your-turn", "It is North's turn; wait until North has moved.")
    >>> refusal.code, str(refusal)
    ('not-your-turn', "It is North's turn; wait until North has moved.")
    """

    code = "refused"

    def __init__(self, code: Code, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class MatchError(FlagfallError):
    """A log, saved match or record is invalid. The message may contain secrets: not for players."""

    code = "bad-match"
