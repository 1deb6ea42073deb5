"""Whatever is done to a valid text, its parser reads it or refuses it with one sentence of its own."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz import TEXTS
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import TARGETS, Target

MAX_SENTENCE = 700
"""characters; the longest sentences list a dozen pieces, or every letter of an army"""
INTERNALS = (
    "Traceback",
    "object at 0x",
    "<class",
    "<function",
    "NoneType",
    "datetime.",
    "set_int_max",
    "Errno",
)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_a_mutated_text_is_read_or_refused_with_one_sentence(target: Target) -> None:
    rng, corpus = Random(f"fuzz {target}"), target.corpus()
    refused = 0
    for _ in range(TEXTS // len(TARGETS)):
        text = mutated(rng.choice(corpus), corpus, rng)
        try:
            target.read(text)
        except target.errors as error:
            refused += 1
            _check_sentence(error, text)
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error!s:.300} for {text[:2000]!r}", pytrace=True)
    assert refused


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_texts_that_are_mutated_are_valid(target: Target) -> None:
    is_valid = target.name in ("record JSON", "box", "lesson", "saved match", "clock")
    for text in target.corpus() if is_valid else ():
        target.read(text)


def _check_sentence(error: Exception, text: str) -> None:
    sentence = str(error)
    context = f"{sentence!r} for {text[:500]!r}"
    assert 0 < len(sentence) <= MAX_SENTENCE, context
    assert sentence.isprintable(), context
    assert not any(word in sentence for word in INTERNALS), context
