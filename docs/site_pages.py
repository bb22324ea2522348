"""The pages of the documentation site: those of the repository, with links that hold there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

_FROM_ROOT = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
_LINK = re.compile(r"(!?)\[((?:[^][]|\[[^]]*\])*)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")


def write_site(folder: Path, whole: Mapping[str, str]) -> None:
    """Write all pages and pictures into a folder of their own.

    Args:
        folder: where to; what lies there is removed.
        whole: the texts that pages have in place of those of the repository, by their names.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    places = {ROOT / name: place for name, place in _FROM_ROOT.items()}
    places |= {path: path.name for path in HERE.iterdir() if path.suffix in (".md", ".png", ".svg")}
    for path, place in places.items():
        if path.suffix == ".md":
            text = whole.get(place) or path.read_text(encoding="utf-8")
            folder.joinpath(place).write_text(_with_links(text, path, places), encoding="utf-8")
        else:
            shutil.copyfile(path, folder / place)


def _with_links(text: str, page: Path, places: Mapping[Path, str]) -> str:
    """A page whose links lead to pages of the site; of others the words and the path are left."""

    def link(match: re.Match[str]) -> str:
        mark, words, target, anchor = match.groups(default="")
        path = (page.parent / target).resolve() if target else page
        if not path.exists():  # brackets in code
            return match[0]
        if path in places:
            return f"{mark}[{words}]({places[path] if target else ''}{anchor})"
        return f"{words} (`{path.relative_to(ROOT)}`)"

    return _LINK.sub(link, text)
