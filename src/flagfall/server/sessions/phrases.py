"""What can be said at the table: preset phrases, so that nobody needs to watch the language."""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    "hello": "Hello!",
    "good-luck": "Good luck, have fun!",
    "well-played": "Well played!",
    "nice-move": "Nice move!",
    "oops": "Oops!",
    "wow": "Wow!",
    "close": "That was close.",
    "thinking": "Let me think.",
    "sorry": "Sorry, I was away.",
    "thanks": "Thank you!",
    "good-game": "Good game!",
    "again": "Another game?",
    "bye": "Good-bye!",
}
