"""Notifications in a real browser: the service worker shows what is pushed; the switch is offered."""

from __future__ import annotations

import json
import time
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.server.served import serving

RECORD = """() => {
    self.shown = [];
    self.navigator.setAppBadge = async (count) => self.shown.push(count);
    self.registration.showNotification = async (title, options) => {
        self.shown.push([title, options.body, options.tag, options.data]);
    };
}"""
"""the headless browser has no place for notifications and badges"""


def test_the_service_worker_shows_what_is_pushed(browser: Browser, site: None, tmp_path: Path) -> None:
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
        (worker,) = context.service_workers
        worker.evaluate(RECORD)
        notice = {"title": "Your turn against Anna", "text": "Duel", "match": "abc", "waiting": 1}
        for data in (json.dumps(notice), "{}"):
            client.send(
                "ServiceWorker.deliverPushMessage",
                {"origin": served.url, "registrationId": registrations[-1], "data": data},
            )
        end = time.monotonic() + 30
        while len(shown := worker.evaluate("self.shown")) < 3:
            assert time.monotonic() < end, shown
        assert shown == [
            1,
            ["Your turn against Anna", "Duel", "abc", "/play/abc"],
            ["It is your turn", "Open Flagfall to see where.", "flagfall", "/"],
        ]
        page.get_by_role("button", name="Settings").click()
        expect(page.get_by_role("checkbox", name="Tell me when it is my turn")).to_be_visible()
        context.close()
