"""The server answers as the OpenAPI schema says, to requests that fit it and to others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS as KNOWN_CHECKS

from tests.server.served import Guest, Served, friends, seal_both

DOCS = Path(__file__).parents[2] / "docs"
NEEDS_MORE_THAN_A_SCHEMA = {"positive_data_acceptance"}
"""a name or setup may fit the schema and still be refused with a sentence"""
CHECKS: list[Any] = [
    check for check in KNOWN_CHECKS.get_all() if check.__name__ not in NEEDS_MORE_THAN_A_SCHEMA
]
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
FITS, DOES_NOT_FIT = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
EXAMPLES = 100 if os.environ.get("FLAGFALL_SOAK") else 6
SCHEMA = schemathesis.openapi.from_dict(json.loads((DOCS / "openapi.json").read_text(encoding="utf-8")))
OPERATIONS: dict[str, Any] = {
    operation.label: operation
    for operation in (found.ok() for found in SCHEMA.get_all_operations())  # type: ignore[union-attr]
}
CAN_BE_WRONG = [label for label, operation in OPERATIONS.items() if operation.body or operation.query]
CASES = [(label, FITS) for label in OPERATIONS] + [(label, DOES_NOT_FIT) for label in CAN_BE_WRONG]
GAME = "mini/3x3"


@pytest.fixture(scope="module")
def known(served: Served) -> dict[str, Any]:
    """Return a cookie, matches that are running, finished and waiting, and their ids and tokens."""
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


@pytest.mark.parametrize(("label", "mode"), CASES)
def test_responses_match_the_schema(
    served: Served, known: dict[str, Any], label: str, mode: schemathesis.GenerationMode
) -> None:
    operation = OPERATIONS[label]

    @seed(1)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def check(case: schemathesis.Case[Any], data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name in known and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
        if isinstance(case.body, dict) and "game" in case.body and data.draw(st.booleans()):
            case.body["game"] = GAME
        if case.query and "wait_s" in case.query:
            case.query["wait_s"] = 0
        cookies = known["cookies"] if data.draw(st.booleans()) else {}
        case.call_and_validate(base_url=served.url, cookies=cookies, checks=CHECKS, timeout=60)

    check()
    with Guest(served) as anybody:
        assert anybody.get("/health")["status"] == "ok"


@pytest.mark.parametrize("path", json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))["paths"])
def test_other_methods_are_refused_with_the_allowed_ones(served: Served, path: str) -> None:
    known = {label.split()[0] for label in OPERATIONS if label.split()[1] == path}
    address = path.replace("{box}", "mini").replace("{game}", "3x3").replace("{", "").replace("}", "")
    allowed = known | ({"HEAD"} if "GET" in known else set())
    with Guest(served) as anybody:
        for method in (*METHODS, "INVENTED"):
            if method in known:
                continue
            answer = anybody.http.request(method, address)
            assert (answer.status_code, answer.json()["code"]) == (405, "not-allowed"), method
            assert set(answer.headers["allow"].split(", ")) == allowed
        if "GET" in known:
            got, head = anybody.http.get(address), anybody.http.head(address)
            assert (head.status_code, head.content) == (got.status_code, b"")
            for name in ("content-type", "content-length"):
                assert head.headers[name] == got.headers[name]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/api/matches/%00/state", 404),
        ("/api/matches/%ff%fe/state", 404),
        ("/api/matches/%ed%a0%80/state", 404),
        ("/api/games/%2e%2e/%2e%2e", 404),
        ("/api/games/mini/3x3/rules?%ff=%00", 400),
        ("/api/games/mini/3x3/rules?rescue=on&rescue=off", 400),
        ("/api/matches/x/state?since=1&since=-1", 400),
        ("/api/matches/x/state?since=" + "9" * 5_000, 400),
        ("/api/matches/x/state?since=%D9%A1%00", 400),
        ("/api/matches/x/state?wait_s=nan", 400),
        ("/api/matches/x/state?wait_s=inf", 400),
        ("/api/me/setups?game=" + "x" * 100, 400),
        ("/%ff%fe%00", 404),
    ],
)
def test_unusual_request_targets(served: Served, target: str, status: int) -> None:
    with Guest(served) as anybody:
        answer = anybody.http.get(served.url + target, headers={"accept": "application/json"})
        assert (answer.status_code, answer.json()["what"]) == (status, "refused"), answer.text
        assert answer.json()["sentence"].isprintable()
