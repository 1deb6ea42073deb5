"""The server speaks each reader's language, and neither stores nor reveals anything more for it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from websockets.sync.client import connect

from flagfall.analysis.findings import READERS, Findings, findings
from flagfall.analysis.retelling import retold
from flagfall.edition import load_game, resolve
from flagfall.languages import messages, say, use_language
from flagfall.server.sessions.texts import changed_options, phrase_words
from tests.analysis.test_analysis import SHORT, analysed
from tests.server.served import Guest, Json, Served, friends, seal_both, serving

GERMAN: dict[str, messages.Message] = {
    "table.phrase.hello": "Hallo!",
    "table.option": "{title} – {label}",
    "actions.event.move": "{who} zieht von {origin} nach {target}.",
}
GAME = "spin-master/duel"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("languages")) as running:
        yield running
        assert "Traceback" not in running.log()


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    english = messages.messages("en")
    monkeypatch.setattr(messages, "messages", lambda language: GERMAN if language == "de" else english)
    changed_options.cache_clear()  # type: ignore[attr-defined]
    yield
    changed_options.cache_clear()  # type: ignore[attr-defined]


@pytest.mark.usefixtures("german")
def test_a_cached_text_does_not_reach_a_reader_of_another_language() -> None:
    game = load_game("onyx/classic")
    options = resolve(game, {"memory": "strict"})
    english = changed_options(game.id, options)
    with use_language("de"):
        assert phrase_words("hello") == "Hallo!"
        assert " – " in changed_options(game.id, options)[0]
    assert changed_options(game.id, options) == english
    assert ": " in english[0]
    assert phrase_words("hello") == "Hello!"


@pytest.mark.usefixtures("german")
def test_a_stored_review_is_told_again_and_shows_nothing_more() -> None:
    analysis = analysed(SHORT)
    for viewer in READERS:
        english = findings(analysis, viewer)
        with use_language("de"):
            told = findings(retold(analysis), viewer)
        assert shown(told) == shown(english)
        assert told.turns[0].words.endswith("zieht von c1 nach c2.")
        assert told.turns[0].words.split()[0] == english.turns[0].words.split()[0]
        assert "zieht" not in str(english)


def shown(found: Findings) -> list[object]:
    """Everything but sentences."""
    verdicts = [
        (turn.turn, verdict and (verdict.best, verdict.estimate, [line.text for line in verdict.line]))
        for turn in found.turns
        for verdict in (turn.known, turn.truth)
    ]
    return [verdicts, found.fights, found.sides, [(one.turn, one.cause) for one in found.turning_points]]


def test_answers_name_their_language(served: Served) -> None:
    with Guest(served, "Anna") as anna:
        path = "/api/matches/nothing-here/state"
        for query, header, language in (
            ("", "", "en"),
            ("", "de-AT, en;q=0.5", "de"),
            ("?language=fr", "de", "fr"),
            ("?language=tlh", "xx", "en"),
        ):
            headers = {"accept-language": header} if header else {}
            answer = anna.http.get(path + query, headers=headers)
            assert answer.headers["content-language"] == language
            assert "accept-language" in answer.headers["vary"].lower()
            with use_language(language):
                assert answer.json()["sentence"] == say("server.match.not-found")


@pytest.mark.parametrize(
    "header", ["de;q=nan", "," * 3000, "de;q=1e999, fr;q=-1", "../../en", "\u00e4".encode().decode("latin-1")]
)
def test_a_forged_header_is_harmless(served: Served, header: str) -> None:
    with Guest(served) as guest:
        raw = {"accept-language": header.encode("latin-1")}
        answer = guest.http.get("/api/games", headers=raw)  # type: ignore[arg-type]
        assert answer.status_code == 200
        assert answer.headers["content-language"] in ("en", "de", "fr")


def first_state(guest: Guest, match: str, language: str) -> Json:
    cookies = "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())
    address = f"ws://127.0.0.1:{guest.served.port}/api/matches/{match}/socket?as=&language={language}"
    with connect(address, additional_headers={"Cookie": cookies}, max_size=None) as socket:
        state: Json = json.loads(socket.recv(timeout=30))
    return state


def test_two_sockets_of_one_match_have_each_their_language(served: Served) -> None:
    anna, ben, match = friends(served, GAME)
    states = {language: first_state(anna, match, language) for language in ("en", "de", "nl")}
    for language, state in states.items():
        with use_language(language):
            assert state["prompt_words"] == say("table.set-up")
    seal_both(anna, ben, match, GAME)
    english, german = first_state(ben, match, "en"), first_state(ben, match, "de")
    for key in ("view", "number", "seats", "can", "commitments", "options", "to_move"):
        assert english[key] == german[key]
    assert [
        piece for piece in german["view"]["pieces"] if piece["side"] == "south" and piece.get("kind")
    ] == []


def test_what_is_stored_has_no_language(served: Served) -> None:
    texts = []
    for language in ("en", "de"):
        with Guest(served, "Anna") as anna:
            anna.http.headers["accept-language"] = language
            body: Json = {"game": GAME, "opponent": "computer", "level": "recruit", "side": "south"}
            match = anna.post("/api/matches", **body)["match"]
            anna.post(f"/api/matches/{match}/setup", code=anna.code(GAME, "south"))
            while anna.state(match, wait_s=5)["phase"] == "setup":
                pass
            anna.post(f"/api/matches/{match}/resign")
            record = anna.http.get(f"/api/matches/{match}/record")
            anna.http.headers["accept-language"] = "en"
            assert anna.http.get(f"/api/matches/{match}/record").content == record.content
            texts.append([line for line in record.text.splitlines() if "Computer" in line])
    assert texts[0] == texts[1] != []
