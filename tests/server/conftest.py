"""One server for all tests that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.served import Guest, Served, serving


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    constants = {"flagfall.server.store.database.BUSY_MS": 1000}
    with serving(tmp_path_factory.mktemp("server"), constants) as running:
        yield running


@pytest.fixture(autouse=True)
def no_faults(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check after every test that the server has logged no exception."""
    yield
    while Guest.everybody:
        Guest.everybody.pop().http.close()
    if "served" in request.fixturenames:
        log = request.getfixturevalue("served").log()
        assert "status=500" not in log
        assert "Traceback" not in log, log[-3000:]
