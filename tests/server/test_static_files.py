"""The built web client: its page, its files, and security headers."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from flagfall.server import serve
from flagfall.server.serve import _bind, _listen
from flagfall.server.settings import Settings, SettingsError
from tests.server.served import serving

PAGE = "<!doctype html><title>Flagfall</title>"
DUTCH_PAGE = '<!doctype html><html lang="nl"><title>Flagfall</title>'
SCRIPT = "console.log('a long script ' + 'x'.repeat(100))"
HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("served")
    site = folder / "site"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text(PAGE, encoding="utf-8")
    (site / "index.nl.html").write_text(DUTCH_PAGE, encoding="utf-8")
    (site / "embed.html").write_text(PAGE, encoding="utf-8")
    (site / "favicon.svg").write_text("<svg/>", encoding="utf-8")
    (site / "assets" / "app-1a2b.js").write_text(SCRIPT, encoding="utf-8")
    (site / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (folder / "secret.txt").write_text("secret", encoding="utf-8")
    with serving(folder, site=str(site)) as served, httpx.Client(base_url=served.url, timeout=60) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/", "/play/abc", "/join/token", "/replay/abc", "/rules/onyx/classic", "/lobby", "/index.html"]
)
def test_every_client_address_is_the_page(built: httpx.Client, path: str) -> None:
    answer = built.get(path, headers=HTML)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy, "scripts come from here only"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("path", "language", "page"),
    [
        ("/", "nl-BE, en;q=0.5", DUTCH_PAGE),
        ("/lobby?language=nl", "de", DUTCH_PAGE),
        ("/lobby", "de, nl;q=0.5", PAGE),
        ("/lobby", "sv", PAGE),
        ("/embed/replay/abc", "nl", PAGE),
    ],
)
def test_the_page_is_in_the_readers_language_if_it_was_built_in_it(
    built: httpx.Client, path: str, language: str, page: str
) -> None:
    answer = built.get(path, headers=HTML | {"accept-language": language})
    assert (answer.status_code, answer.text) == (200, page)
    assert {"accept-encoding", "accept-language"} <= {
        word.strip().lower() for word in answer.headers["vary"].split(",")
    }


def test_only_the_embedded_board_may_be_framed(built: httpx.Client) -> None:
    embedded = built.get("/embed/replay/abc", headers=HTML)
    assert embedded.status_code == 200
    assert "frame-ancestors *" in embedded.headers["content-security-policy"]
    assert "set-cookie" not in embedded.headers
    again = built.get("/embed/replay/abc", headers={"if-none-match": embedded.headers["etag"]})
    assert again.status_code == 304
    assert "frame-ancestors *" in again.headers["content-security-policy"]
    for path in ("/embed", "/embed.html", "/embedded/x", "/replay/abc", "/play/abc", "/", "/api/embed/"):
        policy = built.get(path).headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy, path


def test_files_are_cached_compressed_and_revalidated(built: httpx.Client) -> None:
    plain = built.get("/assets/app-1a2b.js", headers={"accept-encoding": "identity"})
    assert plain.text == SCRIPT
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-type"].startswith("text/javascript")
    assert "immutable" in plain.headers["cache-control"]
    packed = built.get("/assets/app-1a2b.js", headers={"accept-encoding": "gzip, br"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "accept-encoding"
    assert packed.text == SCRIPT
    icon = built.get("/favicon.svg")
    assert icon.headers["cache-control"] == "no-cache"
    again = built.get("/favicon.svg", headers={"if-none-match": icon.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert built.head("/favicon.svg").content == b""


def test_addresses_outside_the_client(built: httpx.Client) -> None:
    for path in ("/api/nothing", "/api", "/assets/old-9z.js", "/nothing.png", "/health/nothing"):
        answer = built.get(path, headers=HTML)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert built.get("/play/abc", headers={"accept": "application/json"}).status_code == 404
    assert built.post("/play/abc").status_code == 405
    assert built.delete("/api/visitor").status_code == 405
    for path in (
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/%00",
        "//etc/passwd",
    ):
        assert "secret" not in built.get(path).text
        assert "root:" not in built.get(path).text
    robots = built.get("/robots.txt").text
    assert "Disallow: /play/" in robots


def test_the_client_has_not_been_built(tmp_path: Path) -> None:
    with serving(tmp_path, site=str(tmp_path / "nothing")) as served:
        answer = httpx.get(f"{served.url}/", headers=HTML)
        assert answer.status_code == 503
        assert "The web client has not been built" in answer.text
        assert "make play" in answer.text
        assert httpx.get(f"{served.url}/health").json()["status"] == "ok"


def test_the_next_free_port_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(_bind("127.0.0.1", 0)) as taken, closing(_bind("127.0.0.1", 0)) as spare:
        busy, free = taken.getsockname()[1], spare.getsockname()[1]
        spare.close()
        monkeypatch.setattr(serve, "PORTS", (busy, free))
        with closing(_listen(Settings(host="127.0.0.1"))) as listening:
            assert listening.getsockname()[1] == free
        with pytest.raises(SettingsError, match="choose another --port"):
            _listen(Settings(host="127.0.0.1", port=busy))
        with pytest.raises(SettingsError, match="Cannot listen on"):
            _listen(Settings(host="192.0.2.1"))
