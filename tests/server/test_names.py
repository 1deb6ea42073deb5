"""Names that are accepted, and names that would deceive others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import httpx
import pytest

from flagfall.players.levels import LEVELS, seat_name
from flagfall.server.errors import RequestError
from flagfall.server.names import FIRST_WORDS, SECOND_WORDS, next_default_name, normalise_name, normalise_text
from flagfall.server.store.match_store import FILE_NAME
from tests.server.served import Guest, Served

ORDINARY = [
    "Anna",
    "Jürgen",
    "Łukasz",
    "山田",
    "やまだ太郎",
    "Ольга",
    "Ёлка",
    "محمد",
    "דָּנִיֵּאל",
    "สมชาย ใจดี",
    "ที่รัก",
    "राजेश",
    "Γιώργος",
    "Նարեկ",
    "김철수",
    "Nguyễn Văn Ân",
    "O'Neil",
    "O’Neil",
    "Anne-Marie",
    "J. R. R. T.",
    "Anna 2",
    "Player 2",
    "Anna South",
    "Northrop",
    "Marshal",
    "Rooter",
    "Adminton",
    "Иван Petrov",
    "🐙",
    "Zoë",
    "x",
    "1",
]
FOOLING = [
    "Computer",
    "computer (marshal)",
    "Сomputer (Marshal)",
    "Соmрutеr",
    "ＣＯＭＰＵＴＥＲ (Marshal)",
    "C o m p u t e r",
    "C0mputer",
    "Cоmputer",
    "(Computer)",
    "The Computer",
    "Ċömputér (Marshal)",
    "𝐂omputer",
    "Computer\u200b (Marshal)",
    "\u2066Computer\u2069",
    "referee",
    "Refere\u0435",
    "the referee",
    "ADMIN",
    "Аdmin",
    "аԁmіn",
    "adm1n",
    "admіn",
    "Moderator",
    "rnoderator",
    "Flagfall",
    "F1agfall",
    "FIagfaII",
    "south",
    "NORTH",
    "Truth",
    "Watcher",
    "server",
    "Ѕуѕtеm",
    "Annа",
    "Pаul",
    "Αnna",
]
BROKEN = [
    "",
    " ",
    "\u3000",
    "\u00a0\u2003",
    "A\nB",
    "A\x00",
    "A\x1b[31m",
    "\u202eannA",
    "A\u200f",
    "A\u200b",
    "A\u200d",
    "\ufeffA",
    "A\u2060",
    "A\u00ad",
    "A\u034f",
    "\u3164",
    "\u115fA",
    "\u2800",
    "A\U000e0041",
    "A\U000e0100",
    "A\ue000",
    "A\U0010ffff",
    "A\u0378",
    "A\u2028B",
    "a" + "\u0301" * 8,
    "Z\u0334\u0335\u0336\u0337a",
    "\u0301a",
    "a\u20dd",
    "...",
    "\ufdfa" * 3,
    "x" * 31,
]


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_names(name: str) -> None:
    assert normalise_name(name)


@pytest.mark.parametrize("name", [*FOOLING, *BROKEN, *(seat_name(level.id) for level in LEVELS)])
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(RequestError) as refused:
        normalise_name(name)
    assert refused.value.code == "malformed"
    assert refused.value.sentence.endswith(".")
    assert refused.value.sentence.isprintable()


def test_names_are_normalised() -> None:
    assert normalise_name("  Anne\u00a0 \u2003Marie ") == "Anne Marie"
    assert normalise_name("Zoe\u0308") == "Zoë"
    assert normalise_name("Ａｎｎａ") == "Anna"
    assert normalise_name("❤\ufe0f") == "❤"


def test_other_texts_have_the_same_characters_but_no_reserved_names() -> None:
    assert normalise_text(" Computer wall ", "name", 40) == "Computer wall"
    assert normalise_text("", "note", 12) == ""
    with pytest.raises(RequestError, match="at most 12"):
        normalise_text("\ufdfa", "note", 12)


def test_names_over_http(served: Served) -> None:
    with Guest(served) as guest:
        for name in ("Сomputer (Marshal)", "\u202eannA", "A\u200bnna", "Zalgo\u0301\u0302\u0303\u0304"):
            assert guest.post("/api/guests", 400, name=name)["code"] == "malformed"
        assert guest.post("/api/guests", name=" Anne\u00a0Marie ")["name"] == "Anne Marie"
        assert guest.put("/api/me", 400, name="Аdmin")["code"] == "malformed"
        assert guest.put("/api/me", name="Ольга")["name"] == "Ольга"
        request: dict[str, Any] = {"game": "mini/3x3", "opponent": "hot-seat"}
        assert guest.post("/api/matches", 400, **request, second_name="Ⅽomputer")["code"] == "malformed"
        made = guest.post("/api/matches", **request, second_name=" Be\u0301a ")
        assert "Béa" in {seat["name"] for seat in made["seats"].values()}
        code = guest.code("mini/3x3", "south")
        setup: dict[str, Any] = {"game": "mini/3x3", "side": "south", "code": code}
        assert guest.put("/api/me/setups", 400, **setup, name="wall\u202e")["code"] == "malformed"
        assert guest.put("/api/me/setups", **setup, name=" Computer\u00a0wall ")["name"] == "Computer wall"


def test_guests_without_a_name_get_different_ones(served: Served) -> None:
    with Guest(served) as one, Guest(served) as other:
        assert one.get("/api/visitor") == {"guest": None}
        names = [guest.post("/api/guests")["name"] for guest in (one, other)]
        assert names[0] != names[1]
        assert one.get("/api/visitor")["guest"]["name"] == names[0]
        assert one.post("/api/guests")["name"] == names[0], "a known guest keeps the name"


def test_default_names_can_be_names() -> None:
    names = [next_default_name() for _ in range(len(FIRST_WORDS) * len(SECOND_WORDS))]
    assert len(set(names)) == len(names)
    assert all(normalise_name(name) == name for name in names)


def test_a_long_path_is_not_found(served: Served) -> None:
    for path in ("/" + "a" * 300, "/assets/" + "b" * 300, "/" + "c/" * 2_000 + "d", "/api/" + "e" * 300):
        answer = httpx.get(f"{served.url}{path}", headers={"accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_a_name_that_cannot_be_stored(served: Served) -> None:
    with Guest(served, "Anna") as guest, closing(sqlite3.connect(served.folder / FILE_NAME)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = guest.http.put("/api/me", json={"name": "Berta"})
        other.rollback()
        assert (answer.status_code, answer.json()["code"]) == (503, "not-stored")
        assert int(answer.headers["retry-after"]) >= 1
        assert guest.get("/api/me")["name"] == "Anna"


@pytest.mark.parametrize("name", ["ᴄomputer (Marshal)", "ᴀdmin", "ꜱerver", "ʀeferee"])
def test_small_capitals_do_not_imitate_reserved_names(name: str) -> None:
    with pytest.raises(RequestError):
        normalise_name(name)
