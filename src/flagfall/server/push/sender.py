"""Sends notices to the devices of guests, away from the requests and moves that cause them.

::

    a move is stored ─► tell() ─► waiting: one notice for each guest and match, the newest
                                      │  a few tasks take them in turn
                                      ▼
              guest has the match open? ─► dropped          no device? ─► dropped
                                      ▼
              encrypt, POST to the push service, at most ten seconds
                404, 410: the device is forgotten · 429, 5xx, no answer: again later, a few times

Nothing here can delay or undo a move: what does not fit is dropped, because a notice is only a courtesy.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import msgspec
import structlog

from flagfall.languages import current_language, say, use_language
from flagfall.server.errors import RequestError
from flagfall.server.middleware.rate_limits import HOUR_S, Buckets, Rate
from flagfall.server.push.encryption import (
    POINT_BYTES,
    SECRET_BYTES,
    PushKey,
    decode,
    encode,
    encrypt,
    load_key,
    padded,
    read_point,
)
from flagfall.server.push.notices import Notice
from flagfall.server.push.services import PushError, PushServices, origin_of
from flagfall.server.settings import Settings
from flagfall.server.store.database import StoreError
from flagfall.server.store.match_store import MatchStore
from flagfall.server.store.subscriptions import SubscriptionRow

SENDERS = 4
"""tasks that send at the same time"""
MAX_WAITING = 2_000
"""notices that wait to be sent, and as many that wait to be tried again"""
RETRY_AFTER_S = (30.0, 300.0, 1_800.0)
"""pauses before a notice is tried again, unless the push service names a longer one"""
GONE = (404, 410)
TOO_MANY, SERVER_ERROR = 429, 500
MAX_TEXT_CHARS = 200

Presence = Literal["here", "leaving", "away"]
logger = structlog.get_logger("flagfall.push")


class _Task(msgspec.Struct, frozen=True):
    """A notice to send: to all devices of its guest, or after a failure to some."""

    notice: Notice
    devices: frozenset[str] | None = None
    attempt: int = 0


class PushSender:
    """The notices on their way, and the devices they go to."""

    def __init__(
        self,
        settings: Settings,
        store: MatchStore,
        now_ms: Callable[[], int],
        presence: Callable[[str, str], Presence],
    ) -> None:
        self.services = PushServices(settings.push_service_names)
        self._settings, self._store, self._now_ms, self._presence = settings, store, now_ms, presence
        self.key: PushKey | None = None
        self._guests: set[str] = set()
        """guests who have a device"""
        self._waiting: OrderedDict[tuple[str, str], _Task] = OrderedDict()
        self._later: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._wake = asyncio.Event()
        hourly = settings.notices_per_hour
        self._buckets = Buckets(Rate(hourly / HOUR_S, hourly))
        self._dropped = 0

    async def load(self) -> None:
        """Load the server's key, made at the first start, and who has a device."""
        if self.services:
            self._guests = await self._store.subscriptions.guests()
            self.key = await load_key(self._store, self._settings.push_contact_address)

    # ------------------------------------------------------------------ devices

    @property
    def public_key(self) -> str:
        """The key that browsers subscribe with; empty if there are no notifications here."""
        return self.key.public_text if self.key else ""

    async def subscribe(self, guest: str, endpoint: str, p256dh: str, auth: str) -> None:
        """Store a device of a guest; refuse an address that is not of an allowed push service."""
        if self.key is None:
            raise RequestError("no-push", say("server.push.none"))
        if not self.services.is_allowed(endpoint):
            raise RequestError("unknown-service", say("server.push.unknown-service"))
        try:
            point, secret = decode(p256dh, POINT_BYTES), decode(auth, SECRET_BYTES)
            read_point(point)
        except ValueError:
            raise RequestError("malformed", say("server.push.bad-keys")) from None
        row = SubscriptionRow(
            device_id(endpoint),
            guest,
            endpoint,
            encode(point),
            encode(secret),
            self._now_ms(),
            current_language(),
        )
        if not await self._store.subscriptions.add(row, self._settings.max_devices):
            raise RequestError("taken", say("server.push.taken"))
        self._guests.add(guest)

    async def unsubscribe(self, guest: str, endpoint: str) -> None:
        """Forget a device of a guest."""
        await self._store.subscriptions.delete(device_id(endpoint), guest)

    def forget(self, guest: str) -> None:
        """Drop everything on its way to a guest who was deleted."""
        self._guests.discard(guest)
        for key in [key for key in self._waiting if key[0] == guest]:
            del self._waiting[key]
        for key in [key for key in self._later if key[0] == guest]:
            self._later.pop(key).cancel()

    # ------------------------------------------------------------------ notices

    def tell(self, notice: Notice) -> None:
        """Have a notice sent soon; it replaces an earlier one about the same match."""
        if self.key is None or notice.guest not in self._guests:
            return
        if self._presence(notice.match, notice.guest) == "here":
            return
        self._put(_Task(notice))

    async def send_notices(self) -> None:
        """Loop: send what waits."""
        while True:
            while not self._waiting:
                self._wake.clear()
                await self._wake.wait()
            _, task = self._waiting.popitem(last=False)
            try:
                await self._send(task)
            except StoreError:
                self._put_later(task, RETRY_AFTER_S[0])
            except Exception:
                logger.exception("a notice could not be sent")

    def close(self) -> None:
        """Drop what has not been sent."""
        for timer in self._later.values():
            timer.cancel()
        self._later.clear()
        self._waiting.clear()

    def _put(self, task: _Task) -> None:
        key = (task.notice.guest, task.notice.match)
        if (timer := self._later.pop(key, None)) is not None:
            timer.cancel()
        if key not in self._waiting and len(self._waiting) >= MAX_WAITING:
            self._dropped += 1
            if self._dropped % MAX_WAITING == 1:
                logger.warning("too many notices wait; some are dropped", dropped=self._dropped)
            return
        self._waiting[key] = task
        self._wake.set()

    def _put_later(self, task: _Task, wait_s: float) -> None:
        key = (task.notice.guest, task.notice.match)
        if key in self._waiting or key in self._later or len(self._later) >= MAX_WAITING:
            return  # there is a newer one, or too many
        self._later[key] = asyncio.get_running_loop().call_later(wait_s, self._put, task)

    async def _send(self, task: _Task) -> None:
        """Send a notice to the devices of its guest, unless they have looked at the match meanwhile."""
        notice = task.notice
        presence = self._presence(notice.match, notice.guest)
        if presence == "leaving":  # or reloading
            self._put_later(task, self._settings.grace_s)
        if presence != "away" or self.key is None:
            return
        devices = await self._store.subscriptions.of_guest(notice.guest)
        if not devices:
            self._guests.discard(notice.guest)
            return
        waiting = await self._store.subscriptions.waiting_matches(notice.guest)
        if notice.kind == "turn" and notice.match not in waiting:
            return
        if task.attempt == 0:
            if self._buckets.wait_s(notice.guest) > 0:
                return
            self._buckets.take(notice.guest)
        chosen = [device for device in devices if task.devices is None or device.id in task.devices]
        waits = await asyncio.gather(
            *(self._deliver(notice, device, len(waiting), self.key) for device in chosen)
        )
        failed = {device.id: wait for device, wait in zip(chosen, waits, strict=True) if wait is not None}
        if failed and task.attempt < len(RETRY_AFTER_S):
            wait_s = max(RETRY_AFTER_S[task.attempt], *failed.values())
            self._put_later(_Task(notice, frozenset(failed), task.attempt + 1), wait_s)

    async def _deliver(
        self, notice: Notice, device: SubscriptionRow, waiting: int, key: PushKey
    ) -> float | None:
        """Send a notice to one device; return the seconds to wait before it is tried again, or None."""
        origin = origin_of(device.endpoint)
        with use_language(device.language):
            text = _message(notice, waiting)
        try:
            body = encrypt(
                padded(text), decode(device.p256dh, POINT_BYTES), decode(device.auth, SECRET_BYTES)
            )
            headers = {
                "TTL": str(notice.keep_s),
                "Topic": key.topic(notice.match),
                "Urgency": "normal",
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "Authorization": key.authorization(origin, self._now_ms() // 1000),
            }
            answer = await self.services.post(device.endpoint, headers, body)
        except PushError as error:
            logger.info("a push service does not answer", service=origin, reason=str(error))
            return 0.0
        except ValueError:
            return None  # a damaged row
        if answer.status in GONE:
            await self._store.subscriptions.delete(device.id, device.guest)
        elif answer.status == TOO_MANY or answer.status >= SERVER_ERROR:
            logger.info("a push service is busy", service=origin, status=answer.status)
            return float(answer.retry_after_s)
        elif not 200 <= answer.status < 300:
            logger.warning("a push service refuses a notice", service=origin, status=answer.status)
        return None


def device_id(endpoint: str) -> str:
    """Return the id of a device: a hash of its address."""
    return encode(sha256(endpoint.encode("utf-8", "replace")).digest())


def _message(notice: Notice, waiting: int) -> bytes:
    """Return what the service worker of the web client reads."""
    title, text = notice.words()
    return msgspec.json.encode(
        {
            "title": title[:MAX_TEXT_CHARS],
            "text": text[:MAX_TEXT_CHARS],
            "match": notice.match,
            "waiting": waiting,
        }
    )
