"""Installed, and without a connection: a page says so, and nothing of a game has been kept."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.served import serving

KEPT = """async () => (await Promise.all((await caches.keys()).map(async name =>
    (await (await caches.open(name)).keys()).map(one => new URL(one.url).pathname)))).flat().sort()"""


UNTIL_FRENCH_IS_ACTIVE = """async () => {
    for (;;) {
        const worker = (await navigator.serviceWorker.getRegistration())?.active;
        if (worker?.scriptURL.endsWith('language=fr') && worker.state === 'activated') return;
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}"""


def test_without_a_connection_a_page_says_so_and_keeps_nothing_of_a_game(
    browser: Browser, site: None, tmp_path: Path
) -> None:
    with serving(tmp_path) as served:
        context = browser.new_context(base_url=served.url, service_workers="allow", locale="de-AT")
        page = context.new_page()
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready")
        address = page.locator("link[rel=manifest]").get_attribute("href") or ""
        assert address == "/manifest.de.webmanifest"
        manifest = context.request.get(address)
        assert manifest.json()["lang"] == "de"
        assert manifest.headers["content-type"].startswith("application/manifest+json")
        for icon in manifest.json()["icons"]:
            assert context.request.get(icon["src"]).headers["content-type"] == icon["type"]
        worker = context.request.get("/service-worker.js").headers
        assert (worker["cache-control"], worker["content-type"].partition(";")[0]) == (
            "no-cache",
            "text/javascript",
        )
        context.request.post("/api/guests", data={"name": "Anna"})
        request = {"game": "mini/3x3", "opponent": "hot-seat"}
        match = context.request.post("/api/matches", data=request).json()["match"]
        page.goto(f"/play/{match}")
        expect(page.get_by_role("heading").first).to_be_visible()
        page.evaluate("localStorage.setItem('flagfall.language', 'fr')")
        page.goto("/my-games")
        expect(page.get_by_role("link", name="Continuer")).to_be_visible()
        page.evaluate(UNTIL_FRENCH_IS_ACTIVE)
        assert page.evaluate("!!navigator.serviceWorker.controller")
        assert page.evaluate(KEPT) == ["/flagfall.svg", "/offline.css", "/offline/fr.html"]
        served.stop()
        page.goto(f"/play/{match}")
        offline = page.get_by_role("heading", name="Pas de connexion")
        expect(offline).to_be_visible()
        expect(page.get_by_role("heading", name="Ce qui marche sans connexion")).to_be_visible()
        assert page.locator("img").evaluate("one => one.naturalWidth > 0")
        assert (
            page.evaluate("getComputedStyle(document.querySelector('.button')).backgroundColor")
            != "rgba(0, 0, 0, 0)"
        )
        served.start()
        page.get_by_role("link", name="Réessayer").click()
        expect(offline).not_to_be_visible()
        assert page.url.endswith(f"/play/{match}")
        expect(page.get_by_role("link", name="Flagfall")).to_be_visible()
        context.close()
