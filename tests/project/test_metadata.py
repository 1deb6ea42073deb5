"""What the package and the citation file say about Flagfall agrees."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_file_has_what_its_format_requires() -> None:
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["type"] == "software"
    assert CITATION["message"]
    assert CITATION["title"].startswith("Flagfall")
    assert all(author.get("name") or author.get("family-names") for author in CITATION["authors"])


def test_the_citation_file_names_this_version() -> None:
    assert CITATION["version"] == PROJECT["version"] == version("flagfall")
    assert CITATION["license"] == PROJECT["license"]
    assert [author["name"] for author in CITATION["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["authors"][0]["name"] in licence


def test_the_classifiers_name_every_python_that_is_supported() -> None:
    prefix = "Programming Language :: Python :: 3."
    minors = [int(line.removeprefix(prefix)) for line in PROJECT["classifiers"] if line.startswith(prefix)]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert PROJECT["requires-python"] == f">=3.{minors[0]}"
    assert minors[-1] >= 14
    assert sys.version_info[1] in minors


def test_no_address_is_invented() -> None:
    assert "urls" not in PROJECT
    assert not re.search(r"https?://", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))
