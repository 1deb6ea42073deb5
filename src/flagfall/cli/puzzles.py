"""`flagfall puzzles`: make puzzles from games of computer players, and check a file of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from flagfall.cli.arguments import AsJson, Seed
from flagfall.engine import mode

app = typer.Typer(help="Make puzzles from games of computer players, and check them.", no_args_is_help=True)


@app.command("make", short_help="Make puzzles from games of computer players.")
def make(
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="Which game.")],
    out: Annotated[Path, typer.Option("--out", help="The file; the same command goes on from it.")],
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", help="win, sure, power, flag or fight; may be repeated. By default all."),
    ] = None,
    seed: Seed = 1,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many of each kind.")] = 10,
    games: Annotated[int, typer.Option("--games", min=1, help="Stop after this many games.")] = 500,
    player: Annotated[str, typer.Option("--player", help="Who plays the games.")] = "captain",
) -> None:
    """Let computer players play quick games, and keep the positions that have a clear answer."""
    mode.choose("compiled")
    from flagfall.cli.output import progress, say, warm_up_kernels
    from flagfall.edition import load_game, resolve
    from flagfall.errors import UserError
    from flagfall.files import write_atomically
    from flagfall.players import check_player
    from flagfall.puzzles.make import numbered, possible_kinds, puzzles_of_game
    from flagfall.puzzles.puzzle import Kind, Puzzle, read_puzzle_file, write_puzzles

    rules = load_game(game, allow_files=False)
    possible = possible_kinds(rules)
    kinds: list[Kind] = [one for one in possible if kind is None or one in kind]
    for one in kind or ():
        if one not in possible:
            raise UserError(f"{rules.id} has no puzzles “{one}”; it has {', '.join(possible)}.")
    check_player(player)
    found: list[Puzzle] = read_puzzle_file(out) if out.exists() else []
    played = out.with_suffix(".played")
    log = played.read_text().split() if played.exists() else []
    warm_up_kernels()

    def missing() -> list[Kind]:
        have = Counter(puzzle.kind for puzzle in found if puzzle.game == rules.id)
        return [one for one in kinds if have[one] < count]

    with progress(rules.id) as advance:
        for number in range(seed, seed + games):
            left = missing()
            if not left:
                break
            name = f"{rules.id}:{number}"
            if name in log:
                continue
            for puzzle in puzzles_of_game(rules, resolve(rules, {}), left, number, (player, player)):
                found.append(numbered(found, puzzle))
            log.append(name)
            write_atomically(out, write_puzzles(found))
            write_atomically(played, "\n".join(log).encode())
            have = sum(puzzle.game == rules.id for puzzle in found)
            advance(have, count * len(kinds), f"game {number}")
    counts = Counter(puzzle.kind for puzzle in found if puzzle.game == rules.id)
    listed = ", ".join(f"{counts[one]} {one}" for one in kinds)
    say(f"{out} has {listed} of {rules.id}.")


@app.command("check", short_help="Check a file of puzzles.")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Puzzles as JSON lines.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Only replay them and play their answers; prove nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replay every puzzle of a file, and prove or estimate its answer again."""
    if not quick:
        mode.choose("compiled")
    from flagfall.cli.output import print_json, progress, say, warm_up_kernels, warn
    from flagfall.errors import UserError
    from flagfall.puzzles.check import check_answer, check_legal
    from flagfall.puzzles.puzzle import read_puzzle_file

    puzzles = read_puzzle_file(file)
    if not quick:
        warm_up_kernels()
    wrong = {}
    with progress(str(file)) as advance:
        for number, puzzle in enumerate(puzzles):
            advance(number, len(puzzles), puzzle.id)
            try:
                (check_legal if quick else check_answer)(puzzle)
            except UserError as error:
                wrong[puzzle.id] = str(error)
    if as_json:
        print_json({"file": str(file), "puzzles": len(puzzles), "wrong": wrong})
    else:
        for sentence in wrong.values():
            warn(sentence)
        say(f"{len(puzzles) - len(wrong)} of {len(puzzles)} puzzles are right.")
    if wrong:
        raise typer.Exit(1)
