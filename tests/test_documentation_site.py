"""The documentation site: it has every page, and links on it lead to pages of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import macproof
from tests.generated_pages import ROOT, docs_module

SITE: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


def pages_in(menu: Any) -> Iterator[str]:
    """The pages that a menu leads to, and the menus in it."""
    for one in menu:
        yield from [one] if isinstance(one, str) else pages_in(*one.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the site can be built."""
    root = tmp_path_factory.mktemp("site")
    generate = docs_module("generate")
    whole = {name: make() for name, make in generate.PAGES.items()}
    docs_module("site_pages").write_site(root / SITE["docs_dir"], whole)
    shutil.copyfile(ROOT / "mkdocs.yml", root / "mkdocs.yml")
    return root


def test_the_menu_has_every_page_once(folder: Path) -> None:
    listed = list(pages_in(SITE["nav"]))
    assert sorted(listed) == sorted(path.name for path in (folder / SITE["docs_dir"]).glob("*.md"))
    assert len(listed) > 30


def test_links_of_the_site_stay_in_it(folder: Path) -> None:
    docs = folder / SITE["docs_dir"]
    found = {path.name: LINK.findall(path.read_text()) for path in docs.glob("*.md")}
    assert sum(map(len, found.values())) > 150
    wrong = {
        name: [to for to in links if not (docs / to).exists()] for name, links in found.items()
    }
    assert {name: links for name, links in wrong.items() if links} == {}
    assert "`emu/toolbox/script.schema.json`" in (docs / "scripts.md").read_text()


def test_links_are_those_of_the_site(tmp_path: Path) -> None:
    pages = docs_module("site_pages")
    page, other = ROOT / "README.md", ROOT / "docs" / "cases.md"
    places = {page: "index.md", other: "cases.md"}
    for text, wanted in {
        "[a](docs/cases.md#here)": "[a](cases.md#here)",
        "[`b`](Makefile)": "`b` (`Makefile`)",
        "[c](#below)": "[c](#below)",
        "[d](https://example.org/docs/cases.md)": "[d](https://example.org/docs/cases.md)",
        "x[7](y)": "x[7](y)",
    }.items():
        assert pages._with_links(text, page, places) == wanted


@pytest.fixture(scope="module")
def mkdocs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MkDocs, in an environment of its own."""
    place = tmp_path_factory.mktemp("mkdocs")
    venv.create(place, with_pip=True)
    (wanted,) = re.findall(r"install --quiet '(mkdocs.*)'", (ROOT / "Makefile").read_text())
    words = [place / "bin" / "python", "-m", "pip", "install", "-q", wanted]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("MkDocs cannot be installed: the package registry cannot be reached")
    return place / "bin" / "mkdocs"


@pytest.mark.slow
def test_the_site_is_built_and_can_be_searched(mkdocs: Path, folder: Path) -> None:
    def build() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [mkdocs, "build"], cwd=folder, capture_output=True, text=True, check=False
        )

    built = build()
    assert built.returncode == 0, built.stderr
    site = folder / SITE["site_dir"]
    index = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    for word, page in (("GetNewControl", "toolbox.html"), ("programs_of", "api.html")):
        assert page in {one["location"].partition("#")[0] for one in index if word in one["text"]}
    api = (site / "api.html").read_text()
    assert all(f'id="{name.lower()}"' in api for name in macproof.__all__)
    with (folder / SITE["docs_dir"] / "cases.md").open("a") as page:
        page.write("\n[nowhere](tutorial.md#nowhere)\n")
    assert build().returncode != 0


def test_make_docs_writes_the_pages_and_builds_them() -> None:
    said = subprocess.run(
        ["make", "--dry-run", "docs", f"BIN={Path(sys.executable).parent}", "READY="],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"docs/generate.py --site {SITE['docs_dir']}" in said
    assert "mkdocs build" in said
