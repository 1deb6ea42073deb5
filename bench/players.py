"""Measure how strong the computer players are: a folder of trials, a file each, that can be resumed.

A file holds the games of one trial (`results`). ``versions.json`` says which program played each trial:
games of two programs are not mixed unless that is asked for, and then the report says so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from msgspec.structs import replace

import flagfall
from bench.durations import game_s, share, spent_s
from bench.gates import Judged, Verdict
from bench.measures import Measure, Report, kept, take
from bench.trials import BEST_OF_ZOO, ZOO, Trial, scaled
from flagfall.arena.contest import play_all
from flagfall.arena.plan import GameResult, rounds
from flagfall.arena.run_file import ResultsFile
from flagfall.arena.tally import Tally, first_pairs, tally
from flagfall.errors import FlagfallError

MIXED = "several"
"""instead of the digest of one program"""
_VERSIONS = "versions.json"
_DECIDES_PLAY = ("board.py", "engine", "edition", "view", "setups", "players")


class OlderGamesError(FlagfallError):
    """The folder has games of another version; the message says what to do."""


def program_digest() -> str:
    """Return a digest of everything that affects play: rules, Views, setups and players."""
    package, digest = Path(flagfall.__file__).parent, hashlib.blake2b(digest_size=6)
    for name in _DECIDES_PLAY:
        place = package / name
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@dataclass
class Standing:
    """The progress of a trial."""

    trial: Trial
    """with its opponent chosen"""
    asked: int
    """games that are wanted, before the budget lowered them"""
    games: list[GameResult] = field(default_factory=list)
    program: str = ""
    """the digest of the program that played it; `MIXED` for several"""

    @property
    def score(self) -> Tally:
        """The first player's score."""
        return tally(self.games, 0, 1)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the wanted games."""
        return self.trial.gate.verdict(self.score, self.asked, first_pairs(self.games))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return len(self.games) >= self.trial.games or self.trial.gate.is_decided(self.games)

    @property
    def game_s(self) -> float:
        """The seconds of a game."""
        return game_s(self.trial, self.games)

    @property
    def left_s(self) -> float:
        """The CPU seconds of the missing games."""
        return 0.0 if self.is_over else self.game_s * (self.trial.games - len(self.games))

    @property
    def spent_s(self) -> float:
        """The CPU seconds of the games played so far."""
        return sum(map(spent_s, self.games))


class Folder:
    """The folder of the trials."""

    def __init__(self, place: Path, seed: int) -> None:
        self.place, self.seed = place, seed
        self.digest = program_digest()

    def file(self, trial: Trial) -> Path:
        """Return the file of a trial's games."""
        return self.place / f"{trial.name}.jsonl"

    def standing(self, trial: Trial, all_trials: Sequence[Trial]) -> Standing:
        """Return the progress of a trial; nothing is written."""
        trial = self.settled(trial, all_trials)
        with ResultsFile(trial.plan(self.seed), self.file(trial), reads_only=True) as results:
            games = list(results.games.values())
        return Standing(trial, trial.games, games, self._versions().get(trial.name, "") if games else "")

    def settled(self, trial: Trial, all_trials: Sequence[Trial]) -> Trial:
        """Choose the opponent: the one in its file, else the best of the zoo in the same game."""
        if trial.second != BEST_OF_ZOO:
            return trial
        begun = self._opponent(trial)
        return replace(trial, second=begun or self._best_of_zoo(trial, all_trials))

    def _opponent(self, trial: Trial) -> str:
        file = self.file(trial)
        if not file.exists():
            return ""
        with file.open("rb") as lines:
            line = lines.readline()
        try:
            return msgspec.json.decode(line, type=GameResult).plan.players[1]
        except msgspec.DecodeError:
            return ""

    def _best_of_zoo(self, trial: Trial, all_trials: Sequence[Trial]) -> str:
        met = [other for other in all_trials if other.game == trial.game and other.second in ZOO]
        met = [other for other in met if other.first == trial.first]
        scores = {}
        for other in met:
            if (score := self.standing(other, ()).score).games:
                scores[other.second] = (score.score, score.won)
        return min(scores, key=lambda name: scores[name]) if scores else "ismcts"

    def _versions(self) -> dict[str, str]:
        file = self.place / _VERSIONS
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str]) if file.exists() else {}

    def require_same_program(self, standings: Sequence[Standing], *, mixes: bool) -> None:
        """Refuse to resume games of another version, unless mixing is allowed."""
        older = [each for each in standings if not each.is_over and each.program not in ("", self.digest)]
        if older and not mixes:
            names = ", ".join(each.trial.name for each in older[:3]) + (" …" if len(older) > 3 else "")
            raise OlderGamesError(
                f"{self.place} has unfinished trials of another version of the players ({names}); "
                "--restart plays them again from the start, --mixed continues and the report says so."
            )

    def forget(self, names: Sequence[str]) -> None:
        """Delete the games of these trials and the figures of these measurements."""
        for name in names:
            for ending in ("json", "jsonl"):
                (self.place / f"{name}.{ending}").unlink(missing_ok=True)

    def play(self, standing: Standing, jobs: int) -> Iterator[GameResult]:
        """Play the missing games of a trial; each is stored before it is reported."""
        if standing.is_over:
            return
        trial = standing.trial
        plan = trial.plan(self.seed)
        self.place.mkdir(parents=True, exist_ok=True)
        self._note_version(standing)
        with ResultsFile(plan, self.file(trial)) as results:
            missing = [at for at in rounds(2, trial.games) if at not in results.games]
            running = play_all(plan, missing, jobs)
            try:
                for played in running:
                    results.add(played)
                    standing.games.append(played)
                    yield played
                    if standing.is_over:
                        return
            finally:
                running.close()

    def _note_version(self, standing: Standing) -> None:
        is_same = standing.program in ("", self.digest)
        standing.program = self.digest if is_same else MIXED
        versions = self._versions() | {standing.trial.name: standing.program}
        text = json.dumps(versions, indent=1, sort_keys=True)
        (self.place / _VERSIONS).write_text(f"{text}\n", encoding="utf-8")


class Bench:
    """The trials of one run in order, and their folder."""

    def __init__(
        self,
        folder: Folder,
        all_trials: Sequence[Trial],
        all_measures: Sequence[Measure],
        names: Container[str],
        scale: float = 1.0,
        budget_s: float | None = None,
    ) -> None:
        self.folder, self.all_trials, self.all_measures = folder, all_trials, all_measures
        self.scale, self.budget_s = scale, budget_s
        self.wanted = [trial for trial in all_trials if trial.name in names]
        self.measures = [measure for measure in all_measures if measure.name in names]
        self.standings = [self._standing(trial) for trial in self.wanted]
        self.measured = {each.name: kept(each, folder.place) for each in all_measures}
        rest = [each for each in all_trials if each.name not in names and folder.file(each).exists()]
        self._others = {trial.name: folder.standing(trial, all_trials) for trial in rest}

    def _standing(self, trial: Trial) -> Standing:
        found = self.folder.standing(scaled(trial, self.scale), self.all_trials)
        found.asked = trial.games
        return found

    def reported(self) -> list[Standing]:
        """Return the trials of this run and others in the folder, by importance."""
        known = self._others | {each.trial.name: each for each in self.standings}
        return [known[trial.name] for trial in self.all_trials if trial.name in known]

    def is_measured(self, measure: Measure) -> bool:
        """Return whether this version has measured it with enough games."""
        found = self.measured[measure.name]
        return found is not None and found.program == self.folder.digest and found.scale >= self.scale

    def measure(self, measure: Measure, report: Report) -> None:
        """Take the measurements besides games that this version has not taken yet."""
        if measure.take is not None and not self.is_measured(measure):
            found = take(measure, self.folder.place, self.folder.digest, self.scale, report)
            self.measured[measure.name] = found

    def judged(self) -> list[Judged]:
        """Return the verdicts of the measurements in the folder."""
        pairs = [(each, self.measured[each.name]) for each in self.all_measures]
        return [one for each, found in pairs if found is not None for one in each.judge(found.figures)]

    def first_pair(self, at: int) -> Standing:
        """Prepare one pair of a trial, to learn how long its games take.

        A trial against the best of the zoo waits until that player is known.
        """
        self.standings[at] = here = self._standing(self.wanted[at])
        is_early = self.wanted[at].second == BEST_OF_ZOO
        here.trial = replace(here.trial, games=len(here.games) if is_early else 2)
        return here

    def begin(self, at: int) -> Standing:
        """Prepare a trial: choose its opponent and its number of games."""
        self.standings[at] = here = self._standing(self.wanted[at])
        if self.budget_s is not None and not here.is_over:
            here.trial = replace(here.trial, games=self._affordable(at, self.budget_s))
        return here

    def _affordable(self, at: int, budget_s: float) -> int:
        """Return as many games as the fair share of the budget allows.

        The budget counts what was played before too. What is left of it is shared by this trial and the
        later ones, the same part of the missing games for each; at least a pair of each is played.
        """
        measured_s = sum(each.took_s for each in self.measured.values() if each is not None)
        left_s = budget_s - measured_s - sum(each.spent_s for each in self.standings)
        part = share([each.left_s for each in self.standings[at:]], left_s)
        here = self.standings[at]
        if part >= 1.0:
            return here.trial.games
        missing = here.trial.games - len(here.games)
        return max(2, 2 * int((len(here.games) + part * missing) / 2))
