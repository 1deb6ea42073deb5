"""One sentence for every value of every option. Numbers are filled in by `wording`."""

from __future__ import annotations

from collections.abc import Mapping

NUMBERED: Mapping[str, str] = {
    "two_square_limit": (
        "A piece may go to and fro between the same two squares in {number} turns running; "
        "turn number {next} must be something else."
    ),
    "no_progress_draw": "After {number} turns in a row without a piece lost or won back, the game is a draw.",
    "enchant_cap": "Each player can win over at most {number} enemy pieces in a game.",
}

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "captured_pieces": {
        "open": "Captured pieces lie open: both players may look at them.",
        "prisoner": "Captured pieces are prisoners: only the player who captured them may look.",
        "secret": "Captured pieces go back to their owner, and only the owner may look.",
        "stealth": "Captured pieces lie face down, and nobody may look.",
    },
    "memory": {
        "assisted": "A piece that was shown stays marked, so nobody has to remember it.",
        "notes": "A piece that was shown is hidden again after the turn, but you may make notes.",
        "strict": "A piece that was shown is hidden again after the turn, and you must keep it in your head.",
    },
    "two_square_limit": {"off": "A piece may go to and fro between two squares as long as it likes."},
    "two_square_counts_attacks": {
        "off": "An attack does not count as going to and fro; the count starts afresh.",
        "on": "Attacks count as going to and fro, too.",
    },
    "chase_rule": {
        "off": "You may chase the same piece round and round.",
        "on": (
            "If you keep chasing the same pieces, you may not bring about a position that was there before; "
            "only stepping straight back is allowed."
        ),
    },
    "no_progress_draw": {"off": "The game goes on, however long nothing is captured."},
    "both_stuck": {
        "side_to_move_loses": "If neither side can do anything, the one whose turn it is loses.",
        "draw": "If neither side can do anything, the game is a draw.",
    },
    "clock": {"none": "There is no clock: take your time."},
    "aggressor_advantage": {
        "off": "When equal pieces meet, both are lost.",
        "on": "When equal pieces meet, the one that attacks wins.",
    },
    "silent_defense": {
        "off": "In a fight both pieces are shown.",
        "on": (
            "In a fight only the attacker is shown; the other player just says who is lost. "
            "If a runner attacks, the attacked piece must be named after all."
        ),
    },
    "rescue": {
        "off": "Lost pieces stay lost.",
        "on": (
            "When you move a piece onto the enemy’s back row, you may bring one of your lost pieces back at "
            "once. Runners cannot do it and bombs cannot be brought back; each player may do it twice in a "
            "game, with two different pieces."
        ),
    },
    "rescue_zone": {
        "home_rows": "A rescued piece comes back on an empty square of your home rows.",
        "half": "A rescued piece comes back on an empty square of your half of the board.",
    },
    "rescue_on_strike": {
        "off": "Only a move onto the back row allows a rescue, not a won fight.",
        "on": "A fight won on the back row allows a rescue as well.",
    },
    "defender_advances": {
        "off": "A defender that wins stays where it is.",
        "on": "A defender that wins moves to the square from which it was attacked; bombs stay.",
    },
    "spot_any_side": {
        "off": "Spotting works straight ahead only.",
        "on": "Spotting works ahead, to both sides and backwards.",
    },
    "spot_move_then_attack": {
        "off": "A piece that spots may step and then spot, but not step and then attack.",
        "on": "A piece that spots may also step and then attack in the ordinary way.",
    },
    "spot_silent_miss": {
        "off": "After a wrong guess the enemy piece is shown all the same.",
        "on": "After a wrong guess the enemy piece stays secret.",
    },
    "blast_range": {
        "lines": "A blast hits one or two squares away, along a row, a column or a diagonal.",
        "square": "A blast hits any square up to two squares away, in whatever direction.",
    },
    "longbow_range": {
        "lines": "A bow hits one or two squares away, along a row, a column or a diagonal.",
        "square": "A bow hits any square up to two squares away, in whatever direction.",
    },
    "advance_subset": {
        "off": "In an advance all of them must go, even into ruin.",
        "on": "In an advance you choose which of them go; at least one must.",
    },
    "advance_order": {
        "chosen": "In an advance you choose who goes first, and who next.",
        "front_first": "In an advance the foremost goes first, and so on to the hindmost.",
    },
    "two_step_may_return": {
        "off": "A piece that makes two steps may not end where it began.",
        "on": "A piece that makes two steps may come straight back to where it began.",
    },
    "detect_known": {
        "on": "You may look even at a piece that you know already.",
        "off": "You may look only at pieces that you do not know yet.",
    },
    "mount_doom": {
        square: f"The square that only the bearer may enter is {square}."
        for square in ("c5", "d5", "g5", "h5")
    },
    "doom_immune": {
        "off": "On its square the bearer can be attacked from the squares next to it.",
        "on": "On its square nobody may attack the bearer.",
    },
    "ring_gone_visible": {
        "off": "The bearer can turn invisible even after it has arrived.",
        "on": "Once the bearer has arrived, it can be captured like any other piece.",
    },
    "frodo_tie_kills": {
        "off": "When the bearer meets its equal, nothing happens to either.",
        "on": "When the bearer meets its equal, the equal is captured and the bearer is safe.",
    },
    "dragon_over_zones": {
        "off": "A flight crosses pieces only, never a zone.",
        "on": "A flight may cross zones as well as pieces.",
    },
    "arrow_takes_flag": {
        "off": "An arrow does no harm to a flag.",
        "on": "An arrow can capture the enemy’s flag, and that wins the game.",
    },
    "enchant_cap": {"off": "There is no limit to how many enemy pieces you can win over."},
    "enchant_probe": {
        "on": "A piece that cannot be won over because it never moves is shown all the same.",
        "off": "A piece that cannot be won over because it never moves stays secret.",
    },
}
