"""Notifications in a real browser: the service worker shows what is pushed; the switch is offered."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.served import serving

SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
    .map(one => [one.title, one.body, one.tag, one.data])"""


def test_a_pushed_notice_is_shown_once_for_each_match(browser: Browser, site: None, tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        context = browser.new_context(base_url=served.url, service_workers="allow")
        context.grant_permissions(["notifications"], origin=served.url)
        page = context.new_page()
        client = context.new_cdp_session(page)
        registrations: list[str] = []
        client.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda found: registrations.extend(one["registrationId"] for one in found["registrations"]),
        )
        client.send("ServiceWorker.enable")
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready")
        for title in ("Anna is ready", "Your turn against Anna"):
            notice = {"title": title, "text": "Duel", "match": "abc", "waiting": 1}
            client.send(
                "ServiceWorker.deliverPushMessage",
                {"origin": served.url, "registrationId": registrations[-1], "data": json.dumps(notice)},
            )
            page.wait_for_function(f"async () => (await ({SHOWN})()).some(one => one[0] === '{title}')")
        assert page.evaluate(SHOWN) == [["Your turn against Anna", "Duel", "abc", "/play/abc"]]
        page.get_by_role("button", name="Settings").click()
        expect(page.get_by_role("checkbox", name="Tell me when it is my turn")).to_be_visible()
        context.close()
