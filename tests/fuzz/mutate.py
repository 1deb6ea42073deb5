"""Seeded mutations of a text: what typing errors, damaged files and attackers do to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

STRANGE = (
    *("\x00", "\x1b[31m", "\r", "\t", "\n", "\u2028", "\u202e", "\ufeff", "\ud800", "\x7f"),
    *("ß", "İ", "é", "e\u0301", "–", "×", "٣", "²", "Ⅷ", "𝟜", "😀", "“", "…", "漢"),
)
NUMBERS = ("0", "-1", "007", "1e999", "NaN", "9" * 25, "9" * 5000, "0x" + "f" * 6000, "0.1", "٣٤")
WORDS = (
    *("d4-d5", "k99", "a0", "j10", "=", "@", "=flag", "@b2", "power", "2", "spot", "rescue", "done"),
    *("null", "true", "[]", "{}", '""', "=", ":", ";", ",", "…", "...", "end", "result:", "1s", "1n"),
)
MAX_MUTATIONS = 3


def mutated(text: str, corpus: Sequence[str], rng: Random) -> str:
    """The text after one to three mutations; ``corpus`` holds texts whose parts are mixed in."""
    for _ in range(rng.randint(1, MAX_MUTATIONS)):
        text = rng.choice(MUTATIONS)(text, corpus, rng)
    return text


def _span(text: str, rng: Random, most: int = 30) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.randint(0, most))


def _delete(text: str, corpus: Sequence[str], rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[end:]


def _cut_off(text: str, corpus: Sequence[str], rng: Random) -> str:
    return text[: rng.randint(0, len(text))]


def _duplicate(text: str, corpus: Sequence[str], rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:end] + text[start:end] * rng.choice((1, 1, 2, 50)) + text[end:]


def _splice(text: str, corpus: Sequence[str], rng: Random) -> str:
    other = rng.choice(corpus)
    start, end = _span(other, rng, 60)
    at = rng.randint(0, len(text))
    return text[:at] + other[start:end] + text[at:]


def _insert(text: str, corpus: Sequence[str], rng: Random) -> str:
    at = rng.randint(0, len(text))
    strange: str = rng.choice(rng.choice((STRANGE, NUMBERS, WORDS)))
    return text[:at] + strange + text[at:]


def _replace_letter(text: str, corpus: Sequence[str], rng: Random) -> str:
    at = rng.randint(0, len(text))
    letter: str = rng.choice((*STRANGE, *"\"'\\/=:,[]{}#.-x0a"))
    return text[:at] + letter + text[at + 1 :]


def _swap_words(text: str, corpus: Sequence[str], rng: Random) -> str:
    words = text.split(" ")
    one, other = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


def _swap_lines(text: str, corpus: Sequence[str], rng: Random) -> str:
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _foreign_word(text: str, corpus: Sequence[str], rng: Random) -> str:
    words = text.split(" ")
    words[rng.randrange(len(words))] = rng.choice((*WORDS, *rng.choice(corpus).split()[:200], ""))
    return " ".join(words)


def _number(text: str, corpus: Sequence[str], rng: Random) -> str:
    """Another number in the place of one."""
    places = [at for at, letter in enumerate(text) if letter.isdigit()]
    if not places:
        return text + rng.choice(NUMBERS)
    at = rng.choice(places)
    return text[:at] + rng.choice(NUMBERS) + text[at + 1 :]


def _nest(text: str, corpus: Sequence[str], rng: Random) -> str:
    start, end = _span(text, rng)
    opening, closing = rng.choice((("[", "]"), ("{", "}"), ('{"a":', "}"), ("a.", ""), ("[[", "]]")))
    depth = rng.choice((1, 2, 40, 3000))
    return text[:start] + opening * depth + text[start:end] + closing * depth + text[end:]


def _case(text: str, corpus: Sequence[str], rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[start:end].swapcase() + text[end:]


def _grow(text: str, corpus: Sequence[str], rng: Random) -> str:
    return text + (rng.choice((" ", "", "\n")) + text[-20:]) * rng.choice((3, 100))


MUTATIONS: tuple[Callable[[str, Sequence[str], Random], str], ...] = (
    *(_delete, _cut_off, _duplicate, _splice, _insert, _replace_letter, _swap_words, _swap_lines),
    *(_foreign_word, _number, _nest, _case, _grow),
)
