"""The box workshop: boxes of guests are checked, saved, and played by computer players many times.

A box belongs to its author. Everybody who knows its id may look and play; no list shows it to others.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Self

import msgspec
import structlog
from msgspec import Struct

from flagfall.edition import Game
from flagfall.edition.load import MAX_BOX_CHARS
from flagfall.edition.versions import text_of_game, version_id_of
from flagfall.languages import current_language, say, translated
from flagfall.server.api.messages.games import BoxInfo
from flagfall.server.api.messages.workshop import BoxCheck, BoxProblem, MyBox, WorkshopLimits
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import stored_game
from flagfall.server.sessions.runs import BackgroundRun, RunState
from flagfall.server.store.box_store import BoxRow
from flagfall.server.store.rows import GuestRow
from flagfall.server.store.run_store import RunRow
from flagfall.server.workers import BoxJob, Job, JobDroppedError, QueueFullError, ThinkingError
from flagfall.server.workers.box_check import MAX_GAMES
from flagfall.server.workers.lab import BoxGame

if TYPE_CHECKING:
    from flagfall.server.sessions.registry import MatchRegistry

MAX_SIMULATED_GAMES = 200
UNTITLED = "Untitled box"
"""stored, so it is English"""

logger = structlog.get_logger("flagfall.workshop")


class BoxFacts(Struct, frozen=True):
    """What a simulation plays, as it is stored."""

    box: str
    game: str
    player: str
    text: str


class BoxRun(BackgroundRun):
    """Simulated games of one version of a box."""

    sort = "workshop"

    def __init__(self, guest: str, box: str, game: Game, player: str, games: int, seed: str) -> None:
        super().__init__(guest, games, seed)
        self.box, self.game, self.player = box, game, player
        self.results: list[BoxGame] = []

    @property
    def played(self) -> int:
        """How many games have been played."""
        return len(self.results)

    def facts(self) -> bytes:
        """Return what is played, as JSON, with the text of the box, which may be changed or deleted."""
        game = self.game.id
        return msgspec.json.encode(BoxFacts(self.box, game, self.player, text_of_game(game)))

    def stored_results(self) -> bytes:
        """Return the results so far, as JSON."""
        return msgspec.json.encode(self.results)

    @classmethod
    async def restored(cls, row: RunRow) -> Self:
        """Return a stored run."""
        facts = msgspec.json.decode(row.facts, type=BoxFacts)
        game = await stored_game(facts.game, facts.text)
        run = cls(row.guest, facts.box, game, facts.player, row.games, row.seed)
        run.results = msgspec.json.decode(row.results, type=list[BoxGame])
        run.state = msgspec.convert(row.state, RunState)
        return run

    def job(self, number: int) -> Job:
        """Return the job for one game."""
        seed = f"{self.seed}/{number}"
        return Job(self.game.id, {}, self.player, seed, time_ms=None, coach="box-game")

    def add(self, answer: bytes) -> None:
        """Add how a game went."""
        self.results.append(msgspec.json.decode(answer, type=BoxGame))


class BoxWorkshop:
    """Checks and stores the boxes of guests."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry

    @property
    def limits(self) -> WorkshopLimits:
        """How much a guest may write."""
        return WorkshopLimits(
            self._registry.settings.max_boxes, MAX_BOX_CHARS, MAX_GAMES, MAX_SIMULATED_GAMES
        )

    async def check(self, guest: GuestRow, text: str, game: str = "") -> BoxCheck:
        """Check a text in a process of its own; one that takes too long has that as its problem."""
        try:
            answer = await self._registry.workers.check_box(guest.id, BoxJob(text, game, current_language()))
        except (QueueFullError, JobDroppedError):
            raise RequestError("too-busy", say("lab.box.busy")) from None
        except ThinkingError:
            logger.warning("a box could not be checked", guest=guest.id)
            return BoxCheck((BoxProblem(1, 1, "", say("lab.box.too-hard")),), None, None)
        return msgspec.json.decode(answer, type=BoxCheck)

    async def create(self, guest: GuestRow, text: str) -> tuple[BoxRow, BoxCheck]:
        """Save a new box of a guest."""
        checked = await self.check(guest, text)
        row = self._row(guest, _new_box_id(), text, checked)
        async with self._registry.creating_lock(guest.id):
            self._registry.refuse_deleted(guest)
            limit = self._registry.settings.max_boxes
            if not await self._registry.store.boxes.add(row, text if row.is_valid else "", limit):
                raise RequestError("full", say("lab.box.full", number=limit))
        return row, checked

    async def save(
        self, guest: GuestRow, box_id: str, text: str, base: int | None
    ) -> tuple[BoxRow, BoxCheck]:
        """Save a box of a guest again, unless it was changed since the revision ``base``."""
        await self.own_box(guest, box_id)
        checked = await self.check(guest, text)
        row = self._row(guest, box_id, text, checked)
        saved = await self._registry.store.boxes.save(row, base, text if row.is_valid else "")
        if saved is None:
            await self.own_box(guest, box_id)
            raise RequestError("stale-box", say("lab.box.changed"))
        return saved, checked

    async def own_box(self, guest: GuestRow, box_id: str) -> BoxRow:
        """Return a box of the guest; one of another guest does not exist for them."""
        found = await self._registry.store.boxes.box(box_id)
        if found is None or found[0].guest != guest.id:
            raise RequestError("not-found", say("lab.box.not-yours"))
        return found[0]

    async def shared_box(self, box_id: str) -> tuple[BoxRow, str]:
        """Return a box by its id, and the name of its author."""
        found = await self._registry.store.boxes.box(box_id)
        if found is None:
            raise RequestError("not-found", say("lab.box.not-found"))
        return found

    def _row(self, guest: GuestRow, box_id: str, text: str, checked: BoxCheck) -> BoxRow:
        now = self._registry.now_ms()
        return BoxRow(
            id=box_id,
            guest=guest.id,
            name=checked.box.name if checked.box else _name_in(text),
            text=text,
            revision=1,
            is_valid=checked.box is not None,
            version=version_id_of(text) if checked.box else "",
            info=msgspec.json.encode(checked.box).decode() if checked.box else "",
            created_ms=now,
            updated_ms=now,
        )


def my_box(row: BoxRow) -> MyBox:
    """Return a box for its author, without the text."""
    return MyBox(
        id=row.id,
        name=say("lab.box.untitled") if row.name == UNTITLED else translated(row.name),
        revision=row.revision,
        size=len(row.text),
        is_valid=row.is_valid,
        version=row.version,
        box=info_of(row),
        created_ms=row.created_ms,
        updated_ms=row.updated_ms,
    )


def info_of(row: BoxRow) -> BoxInfo | None:
    """Return the games of the last version that can be played; None if there is none."""
    try:
        return in_language(msgspec.json.decode(row.info, type=BoxInfo)) if row.info else None
    except msgspec.MsgspecError:
        return None


def in_language(info: BoxInfo) -> BoxInfo:
    """Return what is stored of a box, which is in English, in the language in use."""
    return msgspec.structs.replace(
        info,
        name=translated(info.name),
        tagline=translated(info.tagline),
        story=translated(info.story),
        armies=tuple(
            msgspec.structs.replace(army, name=translated(army.name), text=translated(army.text))
            for army in info.armies
        ),
        games=tuple(
            msgspec.structs.replace(game, name=translated(game.name), text=translated(game.text))
            for game in info.games
        ),
    )


def _new_box_id() -> str:
    """Return an id of 128 random bits that a command line cannot take for an option."""
    while (found := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return found


def _name_in(text: str) -> str:
    """Return the name that a text with problems gives its box, as far as one can tell."""
    for line in text.split("\n", 200)[:200]:
        key, equals, value = line.partition("=")
        if equals and key.strip() == "name":
            name = value.strip().strip("\"'")[:60].strip()
            return name if name and name.isprintable() else UNTITLED
    return UNTITLED
