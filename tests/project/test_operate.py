"""The operator's page is complete: every setting and every admin command."""

from __future__ import annotations

import re
import tomllib

import msgspec
import typer

from flagfall.cli import admin
from flagfall.server.settings import Settings
from tests.project.settings_table import PAGE, texts, todays_page


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_table_of_settings_is_up_to_date() -> None:
    assert page() == todays_page(), "run python -m tests.project.settings_table"


def test_every_setting_has_a_meaning() -> None:
    assert [name for name in Settings.__struct_fields__ if not texts().get(name)] == []


def test_every_admin_command_is_explained() -> None:
    command = typer.main.get_command(admin.app)
    names = sorted(getattr(command, "commands"))  # noqa: B009 (typer does not say that it is a group)
    assert names == ["backup", "ban", "close", "matches", "prune", "repair", "restore", "verify"]
    assert [name for name in names if f"flagfall admin {name}" not in page()] == []


def test_the_example_settings_can_be_used() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)
    settings = msgspec.convert(tomllib.loads(example), Settings)
    assert settings.https_only
    assert settings.host_names
    assert settings.proxy_networks


def test_the_page_is_linked() -> None:
    root = PAGE.parents[1]
    assert "docs/operate.md" in (root / "README.md").read_text(encoding="utf-8")
    assert "(operate.md)" in (root / "docs" / "server.md").read_text(encoding="utf-8")
