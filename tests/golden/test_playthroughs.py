"""Golden playthroughs: what every viewer sees, word for word, is what it was when last read."""

from __future__ import annotations

import pytest

from tests.golden.regenerate import FOLDER, file_of
from tests.golden.script import SCRIPTS, Script, written


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_the_playthrough_is_as_kept(script: Script) -> None:
    kept = file_of(script).read_text(encoding="utf-8")
    assert written(script) == kept, (
        "if this is meant: python -m tests.golden.regenerate, and read the difference"
    )


def test_every_kept_file_belongs_to_a_script() -> None:
    assert {file.name for file in FOLDER.glob("*.txt")} == {file_of(script).name for script in SCRIPTS}


def test_the_playthroughs_show_every_sort_of_event() -> None:
    text = "".join(file_of(script).read_text(encoding="utf-8") for script in SCRIPTS)
    every = "move attack shown removed spot guess miss rescue rescued turn result"
    assert [what for what in every.split() if f": {what} " not in text] == []
