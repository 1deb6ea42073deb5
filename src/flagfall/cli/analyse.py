"""`flagfall analyse`: a recorded game analysed by a searching player for each side, as a web page."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

import msgspec

from flagfall.analysis.findings import findings
from flagfall.analysis.report import html_page
from flagfall.analysis.review import DEFAULT_BUDGET, Analysis, Step, prepared
from flagfall.analysis.turning_points import attempts, turning_points
from flagfall.cli.output import print_json, progress, say, warm_up_kernels, warn
from flagfall.cli.replay import UnfinishedGameError, check_result, positions, read_any
from flagfall.edition.load import game_finder
from flagfall.errors import UserError
from flagfall.files import write_atomically
from flagfall.notation import Record
from flagfall.players import BUILT_IN, SEARCHING, Budget
from flagfall.players.chances import percent
from flagfall.players.levels import LEVELS


def analyse(
    file: Path,
    out: Path | None,
    player: str,
    budget: Budget,
    every: int,
    number: int,
    box: Path | None,
    *,
    as_json: bool,
) -> None:
    """Read the record, analyse its turns and write the page, also if it is interrupted."""
    _check_player(player)
    record = _read(file, number, box)
    page = out or file.with_suffix(".html")
    if page.resolve() == file.resolve():
        raise UserError(f"{page} is the record itself; choose another --out.")
    if page.is_dir() or not os.access(page.parent, os.W_OK):
        raise UserError(f"{page} cannot be written; choose a file in one of your folders with --out.")
    analysis = prepared(record, game_finder(box), player, budget, every)
    warm_up_kernels()
    try:
        _run(analysis)
    except KeyboardInterrupt:
        _write(page, analysis)
        warn(f"Stopped after {len(analysis.steps)} of {len(record.turns)} turns; they are in {page}.")
        raise
    _write(page, analysis)
    if as_json:
        print_json(facts(analysis, page))
        return
    for point in turning_points(analysis):
        fall = f"{percent(point.before)} → {percent(point.after)}"
        say(f"{point.step.label} {point.step.side.title}: {fall}  {point.step.text}")
    say(f"The page is {page}.")


def limits(time_ms: int | None, nodes: int | None) -> Budget:
    """Return the budget for each turn."""
    return DEFAULT_BUDGET if time_ms is None and nodes is None else Budget(time_ms, nodes)


def _check_player(player: str) -> None:
    if player in SEARCHING:
        return
    able = ", ".join(level.id for level in LEVELS)
    why = "does not search and has no estimates" if player in BUILT_IN else "is not a player"
    raise UserError(f"“{player}” {why}; analyse with --player {able}.")


def _read(file: Path, number: int, box: Path | None) -> Record:
    """Read a record and check that it can be played from beginning to end."""
    try:
        record = read_any(file, number, "truth", box)
    except UnfinishedGameError:
        raise UserError(
            f"{file} is a saved game that is not over; play it to its end, then analyse it."
        ) from None
    if not record.turns:
        raise UserError(f"{file} has no turns to analyse; give a game that was played.")
    for _, view in positions(file, record, "truth", box):
        last = view
    check_result(file, record, last)
    return record


def _run(analysis: Analysis) -> None:
    total = len(analysis.record.turns)
    with progress(analysis.game.id) as advance:
        advance(0, total, "")
        for step in analysis.run():
            advance(step.number + 1, total, _where(step))


def _where(step: Step) -> str:
    if step.opinion is None:
        return step.label
    return f"{step.label}  {step.side} {percent(step.opinion.estimate)}"


def _write(page: Path, analysis: Analysis) -> None:
    write_atomically(page, html_page(analysis).encode())


def facts(analysis: Analysis, page: Path) -> dict[str, object]:
    """Return the findings for programs."""
    return {
        "page": str(page),
        "game": analysis.game.id,
        "player": analysis.level,
        "turns": [
            {
                "turn": step.label,
                "side": step.side,
                "text": step.text,
                "words": step.words,
                "opinion": asdict(step.opinion) if step.opinion else None,
            }
            for step in analysis.steps
        ],
        "turning_points": [
            {
                "turn": point.step.label,
                "side": point.step.side,
                "cause": point.cause,
                "before": point.before,
                "after": point.after,
            }
            for point in turning_points(analysis)
        ],
        "findings": msgspec.to_builtins(findings(analysis)),
        "attacks": [
            {"turn": one.step.label, "before": one.before, "after": one.after, **asdict(one.trial)}
            for one in attempts(analysis)
        ],
    }
