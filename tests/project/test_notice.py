"""A program that waits for the compiler is told so, once; nobody else is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from flagfall.engine import notice

Capsys = pytest.CaptureFixture[str]


def _compile(takes_long: bool = True) -> None:
    """Pretend to compile a kernel."""
    timer = notice.begin()
    if timer and takes_long:
        timer.join()
    notice.end(timer)
    if timer and not takes_long:
        timer.join(0.1)
        assert timer.finished.is_set()


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "AFTER_S", 0.0)
    monkeypatch.setattr(notice, "_sentence", "")


def test_compiling_is_explained_once(capsys: Capsys) -> None:
    notice.explain_with("compiling …")
    _compile()
    _compile()
    assert capsys.readouterr().err == "compiling …\n"


def test_nothing_is_said_while_progress_is_shown_or_in_a_server(capsys: Capsys) -> None:
    _compile()
    notice.explain_with("compiling …")
    with notice.quiet():
        _compile()
    assert not capsys.readouterr().err


def test_what_is_done_soon_is_not_explained(monkeypatch: pytest.MonkeyPatch, capsys: Capsys) -> None:
    monkeypatch.setattr(notice, "AFTER_S", 60.0)
    notice.explain_with("compiling …")
    _compile(takes_long=False)
    assert not capsys.readouterr().err


def test_the_front_doors_have_a_sentence_ready() -> None:
    code = "from flagfall.engine import notice; import {}; print(notice._sentence)"
    for door in ("flagfall.library", "flagfall.rl"):
        command = [sys.executable, "-c", code.format(door)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert said.startswith("flagfall: compiling, once on this machine"), said
