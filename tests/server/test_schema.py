"""The server answers as the OpenAPI schema says, to requests that fit it and to others."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.server.served import Guest, Served, friends, seal_both

DOCS = Path(__file__).parents[2] / "docs"
NEEDS_MORE_THAN_A_SCHEMA = {"positive_data_acceptance"}
"""a name or setup may fit the schema and still be refused with a sentence"""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
EXAMPLES = 100 if os.environ.get("FLAGFALL_SOAK") else 6
SCHEMA: dict[str, Any] = json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))
OPERATIONS: dict[str, dict[str, Any]] = {
    f"{method.upper()} {path}": facts
    for path, methods in SCHEMA["paths"].items()
    for method, facts in methods.items()
}


def _can_be_wrong(facts: dict[str, Any]) -> bool:
    return "requestBody" in facts or any(one.get("in") == "query" for one in facts.get("parameters", ()))


CAN_BE_WRONG = [label for label, facts in OPERATIONS.items() if _can_be_wrong(facts)]
CASES = [(label, True) for label in OPERATIONS] + [(label, False) for label in CAN_BE_WRONG]
GAME = "mini/3x3"


@pytest.fixture(scope="module")
def operations() -> dict[str, Any]:
    """Return what schemathesis makes of the schema; it is imported late, as collecting needs none of it."""
    import schemathesis

    schema = schemathesis.openapi.from_dict(SCHEMA)
    found = {one.label: one for one in (result.ok() for result in schema.get_all_operations())}
    assert list(found) == list(OPERATIONS)
    assert [label for label, one in found.items() if one.body or one.query] == CAN_BE_WRONG
    return found


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


@pytest.mark.xdist_group("schema")  # one worker imports schemathesis
@pytest.mark.parametrize(("label", "fits"), CASES)
def test_responses_match_the_schema(
    served: Served, known: dict[str, Any], operations: dict[str, Any], label: str, *, fits: bool
) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS

    operation = operations[label]
    mode = GenerationMode.POSITIVE if fits else GenerationMode.NEGATIVE
    checks: list[Any] = [
        check for check in CHECKS.get_all() if check.__name__ not in NEEDS_MORE_THAN_A_SCHEMA
    ]

    @seed(1)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
    def check(case: Any, data: st.DataObject) -> None:
        for name in case.path_parameters or {}:
            if name in known and data.draw(st.booleans()):
                case.path_parameters[name] = data.draw(st.sampled_from(known[name]))
        if isinstance(case.body, dict) and "game" in case.body and data.draw(st.booleans()):
            case.body["game"] = GAME
        if case.query and "wait_s" in case.query:
            case.query["wait_s"] = 0
        cookies = known["cookies"] if data.draw(st.booleans()) else {}
        case.call_and_validate(base_url=served.url, cookies=cookies, checks=checks, timeout=60)

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
