"""Routes: the box workshop. A box belongs to its author; everybody with its link may look and play."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from importlib.resources import files

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from flagfall.edition.build import icon_names
from flagfall.edition.keys import TABLES, Key, KeyType
from flagfall.edition.load import bundled_options
from flagfall.edition.option_table import OPTIONS, load_installed_options
from flagfall.edition.verbs import PRIMITIVES, Parameter
from flagfall.languages import cached_by_language, say
from flagfall.server.api.http import Operations, json_response, read_body, registry_of
from flagfall.server.api.messages.workshop import (
    BoxCheck,
    BoxTemplate,
    KeyFact,
    OpenedBox,
    OptionFact,
    SectionFact,
    SharedBox,
    SimulationState,
    VerbFact,
    Workshop,
    WorkshopSchema,
)
from flagfall.server.api.requests import CheckBox, NewBox, SaveBox, SimulateBox
from flagfall.server.api.routes.guests import check_rate, current_guest, require_guest
from flagfall.server.api.routes.lab import start_run
from flagfall.server.errors import RequestError
from flagfall.server.sessions.games import found_game
from flagfall.server.sessions.simulation import figures
from flagfall.server.sessions.workshop import BoxRun, in_language, info_of, my_box
from flagfall.server.store.box_store import BoxRow
from flagfall.server.store.rows import GuestRow

TEMPLATES = {
    "small": "new-box.template",
    "tiny": "templates/tiny.toml",
    "powers": "templates/powers.toml",
    "big": "templates/big.toml",
}
"""texts to start from: id → file"""

operations = Operations("workshop")


@operations.add("GET", "/api/workshop", Workshop, 401)
async def my_boxes(request: Request) -> Response:
    """List your boxes, the last changed first."""
    return await _boxes(request, await require_guest(request))


async def _boxes(request: Request, guest: GuestRow) -> Response:
    registry = registry_of(request)
    rows = await registry.store.boxes.of_guest(guest.id)
    return json_response(Workshop(tuple(map(my_box, rows)), registry.workshop.limits))


@operations.add("GET", "/api/workshop/schema", WorkshopSchema)
async def workshop_schema(request: Request) -> Response:
    """Return everything that may stand in a box file, and texts to start from."""
    return json_response(await asyncio.to_thread(schema))


@operations.add("POST", "/api/workshop/check", BoxCheck, 401, 503, request=CheckBox)
async def check_box(request: Request) -> Response:
    """Check a text, and return the box as players will see it; nothing is stored."""
    guest = await require_guest(request)
    body = await read_body(request, CheckBox)
    check_rate(request, "box-checks")
    checked = await registry_of(request).workshop.check(guest, body.text, body.game)
    shown = in_language(checked.box) if checked.box else None
    return json_response(msgspec.structs.replace(checked, box=shown))


@operations.add("POST", "/api/workshop", OpenedBox, 401, 409, 503, request=NewBox)
async def create_box(request: Request) -> Response:
    """Save a new box; a text with problems is saved too, but cannot be played."""
    guest = await require_guest(request)
    body = await read_body(request, NewBox)
    check_rate(request, "box-checks")
    row, checked = await registry_of(request).workshop.create(guest, body.text)
    return json_response(OpenedBox(my_box(row), row.text, checked.problems))


@operations.add("GET", "/api/workshop/{id}", OpenedBox, 401, 404, 503)
async def opened_box(request: Request, id: str) -> Response:
    """Return a box of yours with its text."""
    guest = await require_guest(request)
    workshop = registry_of(request).workshop
    row = await workshop.own_box(guest, id)
    if row.is_valid:
        return json_response(OpenedBox(my_box(row), row.text, ()))
    check_rate(request, "box-checks")
    checked = await workshop.check(guest, row.text)
    return json_response(OpenedBox(my_box(row), row.text, checked.problems))


@operations.add("PUT", "/api/workshop/{id}", OpenedBox, 401, 404, 409, 503, request=SaveBox)
async def save_box(request: Request, id: str) -> Response:
    """Save a box of yours again; refused if it was changed since the revision that you name."""
    guest = await require_guest(request)
    body = await read_body(request, SaveBox)
    check_rate(request, "box-checks")
    row, checked = await registry_of(request).workshop.save(guest, id, body.text, body.base)
    return json_response(OpenedBox(my_box(row), row.text, checked.problems))


@operations.add("DELETE", "/api/workshop/{id}", Workshop, 401, 404)
async def delete_box(request: Request, id: str) -> Response:
    """Delete a box of yours and list the others; its matches go on."""
    guest = await require_guest(request)
    registry = registry_of(request)
    await registry.workshop.own_box(guest, id)
    await _cancel(request, guest, id)
    await registry.store.boxes.delete(guest.id, id)
    return await _boxes(request, guest)


# ---------------------------------------------------------------------- simulated games


@operations.add("GET", "/api/workshop/{id}/simulate", SimulationState, 401, 404)
async def box_simulation(request: Request, id: str) -> Response:
    """Return your last simulation of this box; one that nobody asks for stops after a while."""
    guest = await require_guest(request)
    row = await registry_of(request).workshop.own_box(guest, id)
    return _simulation(await _run_of(request, guest, id), row)


@operations.add(
    "POST", "/api/workshop/{id}/simulate", SimulationState, 401, 404, 409, 503, request=SimulateBox
)
async def simulate_box(request: Request, id: str) -> Response:
    """Play quick games of the last version that can be played, in the background; one run at a time."""
    guest = await require_guest(request)
    body = await read_body(request, SimulateBox)
    registry = registry_of(request)
    row = await registry.workshop.own_box(guest, id)
    info = info_of(row)
    if info is None:
        raise RequestError("not-playable", say("lab.box.not-playable"))
    name = body.game or info.games[0].id.partition("/")[2]
    game = await found_game(f"{row.version}/{name}")
    run = BoxRun(guest.id, id, game, body.player, body.games, secrets.token_hex(8))
    await start_run(request, guest, run)
    return _simulation(run, row)


@operations.add("DELETE", "/api/workshop/{id}/simulate", SimulationState, 401, 404)
async def cancel_simulation(request: Request, id: str) -> Response:
    """Cancel your simulation; what was played so far stays."""
    guest = await require_guest(request)
    row = await registry_of(request).workshop.own_box(guest, id)
    run = await _cancel(request, guest, id)
    return _simulation(run, row)


async def _run_of(request: Request, guest: GuestRow, box_id: str) -> BoxRun | None:
    run = await registry_of(request).runs.run_of(guest.id, BoxRun)
    return run if run is not None and run.box == box_id else None


async def _cancel(request: Request, guest: GuestRow, box_id: str) -> BoxRun | None:
    run = await _run_of(request, guest, box_id)
    if run is not None:
        await registry_of(request).runs.cancel(guest.id, BoxRun)
    return run


def _simulation(run: BoxRun | None, row: BoxRow) -> Response:
    return json_response(SimulationState(figures(run, row.version) if run else None))


# ---------------------------------------------------------------------- by link


@operations.add("GET", "/api/boxes/{id}", SharedBox, 404)
async def shared_box(request: Request, id: str) -> Response:
    """Return what everybody with the link of a box may see: its name, author and games."""
    guest = await current_guest(request)
    row, author = await registry_of(request).workshop.shared_box(id)
    info = info_of(row)
    return json_response(
        SharedBox(
            id=row.id,
            name=info.name if info else row.name,
            author=author,
            is_yours=guest is not None and guest.id == row.guest,
            can_be_played=info is not None,
            box=info,
        )
    )


# ---------------------------------------------------------------------- what a box may say


@cached_by_language(maxsize=None)
def schema() -> WorkshopSchema:
    """Return everything that may stand in a box file, from the tables that its reader uses."""
    load_installed_options()
    options = {**OPTIONS, **bundled_options()}
    folder = files("flagfall.edition") / "data"
    return WorkshopSchema(
        sections=tuple(
            SectionFact(table.path, table.help, _keys(table.keys), table.names) for table in TABLES.values()
        ),
        verbs=tuple(
            VerbFact(one.name, one.help, tuple(_parameters(one.parameters))) for one in PRIMITIVES.values()
        ),
        options=tuple(
            OptionFact(one.name, one.help, one.values, one.max, one.is_for_powers or name not in OPTIONS)
            for name, one in options.items()
        ),
        icons=icon_names(),
        templates=tuple(
            BoxTemplate(
                id,
                say(f"lab.template.{id}.name"),
                say(f"lab.template.{id}.text"),
                (folder / file).read_text(encoding="utf-8"),
            )
            for id, file in TEMPLATES.items()
        ),
    )


def _keys(keys: Mapping[str, Key]) -> tuple[KeyFact, ...]:
    return tuple(
        KeyFact(name, key.type, key.help, key.example, key.values, key.is_required, key.default, key.names)
        for name, key in keys.items()
    )


def _parameters(parameters: Mapping[str, Parameter]) -> Iterable[KeyFact]:
    for name, about in parameters.items():
        default = msgspec.json.encode(about.default).decode()
        names = "kind" if isinstance(about.default, tuple) else "square" if _is_square(about) else ""
        example = f"{name} = {default}" if default != '""' else f'{name} = "c4"'
        yield KeyFact(
            name, _type(about), about.help, example, about.values, _is_square(about), default, names
        )


def _is_square(about: Parameter) -> bool:
    return isinstance(about.default, str) and not about.values


def _type(about: Parameter) -> KeyType:
    if isinstance(about.default, bool):
        return "true or false"
    if isinstance(about.default, int):
        return "number"
    return "list of texts" if isinstance(about.default, tuple) else "text"
