"""The schema keeps its word: what fits it, and what does not, is answered as it says, without a fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.served import Guest, Served, friends, seal_both

DOCS = Path(__file__).parents[2] / "docs"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
FITS, DOES_NOT_FIT = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
EXAMPLES = 12
SCHEMA = schemathesis.openapi.from_dict(json.loads((DOCS / "openapi.json").read_text(encoding="utf-8")))
OPERATIONS: dict[str, Any] = {
    operation.label: operation
    for operation in (found.ok() for found in SCHEMA.get_all_operations())  # type: ignore[union-attr]
}
CAN_BE_WRONG = [label for label, operation in OPERATIONS.items() if operation.body or operation.query]
STORIES = [(label, FITS) for label in OPERATIONS] + [(label, DOES_NOT_FIT) for label in CAN_BE_WRONG]
GAME = "mini/3x3"


@pytest.fixture(scope="module")
def known(served: Served) -> dict[str, Any]:
    """Somebody with a cookie, a match that is played, one that is over, and the words that lead to them."""
    anna, ben, playing = friends(served, GAME)
    seal_both(anna, ben, playing, GAME)
    made = anna.post("/api/matches", game=GAME, opponent="hot-seat")["match"]
    for side in ("south", "north"):
        anna.post(f"/api/matches/{made}/setup", seat=side, code=anna.code(GAME, side))
    anna.post(f"/api/matches/{made}/resign", seat="south")
    open_one = ben.post("/api/matches", game=GAME, opponent="lobby")
    return {
        "cookies": dict(anna.http.cookies),
        "match": [playing, made, open_one["match"]],
        "token": [open_one["invitation"]],
        "box": ["mini", "onyx"],
        "game": ["3x3", "classic"],
    }


@pytest.mark.parametrize(("label", "mode"), STORIES)
def test_answers_are_as_the_schema_says(
    served: Served, known: dict[str, Any], label: str, mode: schemathesis.GenerationMode
) -> None:
    operation = OPERATIONS[label]

    @seed(1)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def answered(case: schemathesis.Case[Any], data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name in known and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
        if isinstance(case.body, dict) and "game" in case.body and data.draw(st.booleans()):
            case.body["game"] = GAME
        if case.query and "wait_s" in case.query:
            case.query["wait_s"] = 0
        cookies = known["cookies"] if data.draw(st.booleans()) else {}
        case.call_and_validate(base_url=served.url, cookies=cookies, checks=CHECKS, timeout=60)

    answered()
    with Guest(served) as anybody:
        assert anybody.get("/health")["status"] == "ok"
