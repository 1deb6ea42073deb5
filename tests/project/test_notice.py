"""A call that compiles for long says so; one that only takes long does not."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from flagfall.engine import notice
from flagfall.engine.mode import VARIABLE


def _what_is_said(patch: pytest.MonkeyPatch, *, mode: str, is_compiling: bool) -> None:
    """Let a call take long."""
    patch.setenv(VARIABLE, mode)
    patch.setattr(notice, "AFTER_S", 0.0)
    patch.setitem(sys.modules, "flagfall.engine.compiled", SimpleNamespace(is_compiling=lambda: is_compiling))
    said = notice.Notice("compiling …")
    with said:
        if said._timer.is_alive():
            said._timer.join()


def test_compiling_is_explained_once_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _what_is_said(monkeypatch, mode="compiled", is_compiling=True)
    assert capsys.readouterr().err == "compiling …\n"


@pytest.mark.parametrize(("mode", "is_compiling"), [("compiled", False), ("interpreted", True)])
def test_a_call_that_only_takes_long_says_nothing(
    mode: str, is_compiling: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _what_is_said(monkeypatch, mode=mode, is_compiling=is_compiling)
    assert not capsys.readouterr().err
