"""Hooks of the documentation site (`mkdocs.yml`): pages from outside this folder, and nothing fetched.

The README, the contributor's guide and a few others are pages of the site too. A link to a file that is no
page becomes plain text, because the site is also read where the sources are not.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "report-a-hole.md",
    "bench/README.md": "benchmarks.md",
}
"""pages outside the folder `docs`, and what they are called in the site"""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_FENCE = re.compile(r"(^```.*?^```)", re.M | re.S)
_FETCHED = re.compile(r"<(?:script|link|img|source|iframe)\b[^>]*\b(?:src|href)=[\"']?(https?:)?//[^>]*>")
_HARMLESS = re.compile(r"rel=[\"']?(?:canonical|license)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside."""
    for source, name in OUTSIDE.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let every link lead to a page or picture of the site."""
    name = page.file.src_uri
    source = next((path for path, called in OUTSIDE.items() if called == name), f"docs/{name}")
    folder = (ROOT / source).parent

    def mended(link: re.Match[str]) -> str:
        image, text, target, anchor = link.group(1), link.group(2), link.group(3), link.group(4) or ""
        if not target or re.match(r"[a-z]+:", target):
            return link.group(0)
        path = (folder / target).resolve()
        if not path.is_relative_to(ROOT) or not path.exists():
            return link.group(0)  # mkdocs warns
        inside = OUTSIDE.get(path.relative_to(ROOT).as_posix())
        if inside is None:
            docs = ROOT / "docs"
            known = path.is_relative_to(docs) and files.get_file_from_path(path.relative_to(docs).as_posix())
            if not known:
                return f"`{target}`" if text == target else text
            inside = path.relative_to(docs).as_posix()
        up = "../" * name.count("/")
        return f"{image}[{text}]({up}{inside}{anchor})"

    parts = _FENCE.split(markdown)
    return "".join(part if i % 2 else _LINK.sub(mended, part) for i, part in enumerate(parts))


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Refuse a page that would fetch something from elsewhere."""
    for tag in _FETCHED.finditer(output):
        if not _HARMLESS.search(tag.group(0)):
            raise PluginError(f"{page.file.src_uri} would fetch from elsewhere: {tag.group(0)[:120]}")
    return output
