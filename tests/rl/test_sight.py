"""What an environment shows is what the mover's View and history say, in every game and under its options."""

from __future__ import annotations

from random import Random

import numpy as np

from flagfall.board import parse_cell
from tests.laws import MORE, by_game
from tests.laws.seen_game import cases_of, random_setup
from tests.rl.tables import Table

ACTIONS = 60 if MORE == 1 else 150


@by_game
def test_kernels_show_exactly_what_the_movers_view_holds(game_id: str) -> None:
    spread = cases_of(game_id)
    for case in spread if MORE > 1 else spread[:: max(1, len(spread) // 6)]:
        rng = Random(f"sight {case}")
        setups = (random_setup(case.game, 0, rng), random_setup(case.game, 1, rng))
        table = Table(case.game, case.options, setups)
        for at in range(ACTIONS):
            if table.is_over:
                break
            wrong = table.differences(of_both=at % 4 == 0)
            assert not wrong, f"{case}, after {at} actions: {wrong[0]}"
            _possible_kinds_include_those_of_the_view(table)
            table.play(table.choose(rng))


def _possible_kinds_include_those_of_the_view(table: Table) -> None:
    """Counting never rules out what a View holds possible; where no more can be concluded, it is equal."""
    layout, view, side = table.env.layout, table.view(), table.side
    kinds = layout.army_kinds[1 - side]
    ids = [layout.game.kinds[kind].id for kind in kinds]
    planes = table.env.planes[0, 2 * layout.kinds : 3 * layout.kinds].reshape(layout.kinds, -1)
    options = layout.options
    is_exact = (
        not options.is_on("silent_defense")
        and not options.is_on("spot_silent_miss")
        and not options.is_on("rescue")
        and dict(options.items()).get("enchant_probe", "on") == "on"
        and not layout.game.has_verb("bearer")
    )
    for piece in view.pieces:
        if int(piece.side) != side and not piece.is_told:
            here = layout.space.square(parse_cell(piece.cell), side)
            counted = {ids[place] for place in np.flatnonzero(planes[:, here])}
            assert counted >= set(piece.possible), (piece, counted)
            if is_exact:
                assert counted == set(piece.possible), (piece, counted)
