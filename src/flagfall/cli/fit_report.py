"""The report of a weights fit: held-out loss, each weight with its interval, and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from flagfall.players.evaluation.weights_file import rounded
from flagfall.players.searcher import SCALE
from flagfall.tuning import calibration, logistic
from flagfall.tuning.positions import Sampled
from flagfall.tuning.weights import Findings, Fit

Table = tuple[str, Sequence[str], Sequence[Sequence[object]]]
NOTHING = float(np.log(2.0))
"""the loss of always predicting 50 %"""


def _bin_row(one: calibration.Bin) -> tuple[object, ...]:
    return f"{one.low:.1f}–{one.high:.1f}", one.positions, f"{one.said:.3f}", f"{one.happened:.3f}"


class FitReport:
    """The tables and sentences of a fit."""

    def __init__(self, findings: Findings, played: Sequence[Sampled]) -> None:
        self.findings, self.played = findings, played
        self.found = findings.found
        self.models: dict[str, Fit] = {
            "in use": findings.in_use,
            "scale fitted": findings.scaled,
            "weights and scale fitted": findings.fitted,
        }
        between_equals = np.where(self.found.edge.any(axis=1), np.nan, self.found.estimate)
        self.estimates = calibration.estimates(between_equals, self.found.results, self.found.counts)

    def title(self) -> str:
        """Return how many positions and games were used."""
        drawn = sum(not one.winner for one in self.played)
        held_out = len(set(self.found.played[self.found.is_held_out].tolist()))
        useful = len(set(self.found.played.tolist()))
        return (
            f"{len(self.found.results)} positions of {useful} games "
            f"({len(self.played)} played, {drawn} drawn); {held_out} held-out games"
        )

    def losses(self) -> dict[str, dict[str, float]]:
        """Return the mean loss of every model: on fitted games, on held-out games, and those by game."""
        held_out = self.found.is_held_out
        chosen = {"fitted": ~held_out, "aside": held_out}
        chosen |= {name: held_out & (self.found.game == at) for at, name in enumerate(self.found.games)}
        return {
            model: {name: fit.loss(positions) for name, positions in chosen.items() if positions.any()}
            for model, fit in self.models.items()
        }

    def calibrations(self) -> dict[str, Sequence[calibration.Bin]]:
        """Return the calibration on held-out games, and of players' own estimates on all games."""
        held_out = self.found.is_held_out
        results, counts = self.found.results[held_out], self.found.counts[held_out]
        found: dict[str, Sequence[calibration.Bin]] = {}
        for model, fit in self.models.items():
            found[model] = calibration.table(logistic.chance(fit.odds()[held_out]), results, counts)
        if self.estimates is not None:
            found["estimates between equals"] = self.estimates.bins
        return found

    def tables(self) -> list[Table]:
        """Return the tables of losses, weights and calibration."""
        losses = self.losses()
        places = list(losses["in use"])
        rows = [
            (place, f"{NOTHING:.4f}", *(f"{row[place]:.4f}" for row in losses.values())) for place in places
        ]
        columns = ("games", "always 50 %", *losses)
        found: list[Table] = [
            ("Loss per position in nats (aside and below: held-out games)", columns, rows),
            ("Weights", ("weight", "in use", "fitted", "95 %"), self._weight_rows()),
        ]
        for model, bins in self.calibrations().items():
            title, columns = f"Chances against results: {model}", ("chance", "positions", "said", "happened")
            found.append((title, columns, [_bin_row(one) for one in bins]))
        return found

    def _weight_rows(self) -> list[tuple[str, str, str, str]]:
        fitted = self.findings.fitted
        start, now = asdict(fitted.space.start), asdict(fitted.weights)
        rows = []
        for at, name in enumerate(fitted.space.names):
            bounds = (self._bound(at, side) for side in (0, 1))
            low, high = sorted(bounds)
            rows.append((name, f"{start[name]:.4g}", f"{now[name]:.4g}", f"{low:.4g} … {high:.4g}"))
        return rows

    def _bound(self, at: int, side: int) -> float:
        fitted = self.findings.fitted
        moves = [float(move) for move in fitted.point.weights]
        moves[at] = float(self.findings.intervals[at, side])
        return float(getattr(fitted.space.at(moves), fitted.space.names[at]))

    def _verdict(self, model: str) -> str:
        """Return whether a model is better than the weights in use, on held-out games."""
        gain, sure = self.findings.gain(self.models[model], self.findings.in_use)
        if abs(gain) <= sure:
            words = "undecided; play more games"
        else:
            words = "better" if gain > 0 else "worse: keep the weights in use"
        return f"{model}: {gain:+.4f} ± {sure:.4f} nats per game against those in use, {words}"

    def sentences(self) -> list[str]:
        """Return sentences on the models, the scale, the opponents and the players' own estimates."""
        better = "; ".join(self._verdict(model) for model in self.models if model != "in use")
        found = [
            f"On held-out games, {better}.",
            f"Scale in use: {SCALE[0]:g} + {SCALE[1]:g} × the most valuable kind. "
            + "; ".join(
                f"{model}: {fit.scale[0]:.1f} + {fit.scale[1]:.3f} × the most valuable kind, a turn is worth "
                f"{fit.point.turn:.1f}"
                for model, fit in self.models.items()
                if fit.freedom.has_scale
            )
            + ".",
        ]
        edges = zip(self.found.opponents, self.findings.fitted.point.edge, strict=True)
        if words := ", ".join(f"{name} {edge:+.2f}" for name, edge in edges):
            found.append(f"Advantage of playing against an opponent, in log odds: {words}.")
        if (said := self.estimates) is not None:
            found.append(
                f"Players' own estimates between equals, {said.positions} positions: loss "
                f"{said.loss:.4f}; with log odds times {said.factor:.2f} (the scale divided by that) "
                f"{said.loss_after:.4f}."
            )
        return found

    def facts(self) -> dict[str, object]:
        """Return everything for programs."""
        fitted, said = self.findings.fitted, self.estimates
        return {
            "games": len(self.played),
            "positions": len(self.found.results),
            "losses": {
                model: {name: round(loss, 5) for name, loss in row.items()}
                for model, row in self.losses().items()
            },
            "gains": {
                model: [round(number, 5) for number in self.findings.gain(fit, self.findings.in_use)]
                for model, fit in self.models.items()
                if model != "in use"
            },
            "weights": {name: rounded(value) for name, value in asdict(fitted.weights).items()},
            "intervals": {
                name: sorted(rounded(self._bound(at, side)) for side in (0, 1))
                for at, name in enumerate(fitted.space.names)
            },
            "scales": {
                model: [round(number, 4) for number in fit.scale] for model, fit in self.models.items()
            },
            "estimates": None
            if said is None
            else {
                "loss": round(said.loss, 5),
                "factor": round(said.factor, 4),
                "loss_after": round(said.loss_after, 5),
            },
            "calibration": {
                model: [asdict(one) for one in bins] for model, bins in self.calibrations().items()
            },
        }
