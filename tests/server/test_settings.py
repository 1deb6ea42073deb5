"""Settings come from flags, environment and file, and by their old names too."""

from __future__ import annotations

from pathlib import Path

import pytest

from flagfall.server.settings import RENAMED, Settings, SettingsError, load_settings


def test_settings_by_flag_environment_and_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 1\nhost = "a"\nworkers = 3\n', encoding="utf-8")
    settings = load_settings(
        {"port": 3, "host": None}, {"FLAGFALL_PORT": "2", "FLAGFALL_HOST": "b"}, str(file)
    )
    assert (settings.port, settings.host, settings.workers) == (3, "b", 3)
    for wrong in ({"FLAGFALL_PORT": "x"}, {"FLAGFALL_PORT": "70000"}, {"FLAGFALL_LOG_LEVEL": "loud"}):
        with pytest.raises(SettingsError):
            load_settings({}, wrong, str(file))
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings({}, {}, str(tmp_path / "nothing.toml"))


def test_settings_by_their_old_names(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("most_matches = 7\nmost_headers = 8\n", encoding="utf-8")
    settings = load_settings({}, {"FLAGFALL_MOST_HEADERS": "9"}, str(file))
    assert (settings.max_matches, settings.max_headers) == (7, 9)
    assert load_settings({}, {"FLAGFALL_MAX_MATCHES": "5"}, str(file)).max_matches == 5
    both = {"FLAGFALL_MOST_SOCKETS": "1", "FLAGFALL_MAX_SOCKETS": "2"}
    assert load_settings({}, both, str(file)).max_sockets == 2
    assert set(RENAMED.values()) <= set(Settings.__struct_fields__)
