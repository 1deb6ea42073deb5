"""Errors for clients: a code for programs, a sentence for people, and an HTTP status."""

from __future__ import annotations

from collections.abc import Mapping

from flagfall.edition import OptionError, UnknownGameError
from flagfall.errors import FlagfallError, sentence
from flagfall.languages import say
from flagfall.match import RefusedError
from flagfall.server.api.messages.matches import Refused
from flagfall.server.store.database import StoreError
from flagfall.setups import SetupError

STATUS: Mapping[str, int] = {
    "malformed": 400,
    "unknown-seat": 400,
    "name-a-seat": 400,
    "option": 400,
    "no-guest": 401,
    "not-your-seat": 403,
    "banned": 403,
    "cross-site": 403,
    "hidden": 403,
    "not-found": 404,
    "not-allowed": 405,
    "too-slow": 408,
    "too-large": 413,
    "unknown-host": 421,
    "unreadable": 422,
    "illegal": 422,
    "unknown-piece": 422,
    "one-at-a-time": 422,
    "setup": 422,
    "too-many": 429,
    "headers-too-large": 431,
    "fault": 500,
    "not-stored": 503,
    "not-readable": 503,
    "not-ready": 503,
    "too-busy": 503,
    "stopping": 503,
}
"""codes with a status of their own; every other code is a 409"""

RETRY_AFTER_S: Mapping[int, int] = {429: 1, 503: 5}
"""seconds after which to try again, unless the error says otherwise"""
SENTENCES: Mapping[str, str] = {
    "not-stored": "server.store.not-stored",
    "not-readable": "server.store.not-readable",
}
"""messages for errors whose own message is for the operator"""


class RequestError(FlagfallError):
    """The server refuses a request."""

    code = "refused-request"

    def __init__(self, code: str, sentence: str, *, retry_after_s: int | None = None) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence
        self.retry_after_s = RETRY_AFTER_S.get(self.status) if retry_after_s is None else retry_after_s

    @classmethod
    def of(cls, error: FlagfallError) -> RequestError:
        """Return an error of the rules or of the store as one for the client."""
        if isinstance(error, RequestError):
            return error
        if isinstance(error, RefusedError):  # may begin with a square, so it keeps its first letter
            return cls(error.code, error.sentence)
        text = say(SENTENCES[error.code]) if error.code in SENTENCES else sentence(error)
        return cls(error.code, text[:1].upper() + text[1:])

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS.get(self.code, 409)

    def headers(self) -> dict[str, str]:
        """Return the headers that belong to the status."""
        headers = {} if self.retry_after_s is None else {"retry-after": str(self.retry_after_s)}
        if self.status == 401:
            headers["www-authenticate"] = 'Cookie realm="Flagfall"'
        return headers

    def message(self, reply_to: str = "") -> Refused:
        """Return the message for the client."""
        return Refused(self.code, self.sentence, reply_to, self.retry_after_s)


CLIENT_ERRORS = (RequestError, RefusedError, StoreError, SetupError, OptionError, UnknownGameError)
"""errors that handlers of requests may raise; `RequestError.of` makes the response"""
