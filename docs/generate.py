"""Writes what is made from declarations in the code: pages, and headers of Toolbox routines.

    python docs/generate.py
    python docs/generate.py --site build/docs

The first writes what is committed, and ``tests/test_documentation.py`` sees that it is what this
writes. The second writes the pages of the documentation site, which `make docs` builds of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from absent_headers import absent_headers
from api_page import api_page, api_summary
from callback_headers import callback_headers
from conformity_page import conformity_page
from engine_faults_page import engine_faults_page
from header_names import named_headers
from record_headers import record_headers
from site_pages import write_site
from system_headers import system_headers
from toolbox_headers import COMPAT, routine_headers
from toolbox_page import toolbox_page, toolbox_summary

HERE = Path(__file__).parent

SUMMARIES = {
    "api.md": api_summary,
    "conformity.md": conformity_page,
    "engine-faults.md": engine_faults_page,
    "toolbox.md": toolbox_summary,
}
"""The functions that make pages of the repository, by the names of their files."""

PAGES = {"api.md": api_page, "toolbox.md": toolbox_page}
"""Those that make the whole pages, which only the site has."""


def made() -> dict[Path, str]:
    """The text of every file that is made and committed, by its path."""
    pages = {HERE / name: make() for name, make in SUMMARIES.items()}
    headers = {COMPAT / "routines" / name: text for name, text in routine_headers().items()}
    records = {COMPAT / "records" / name: text for name, text in record_headers().items()}
    callbacks = {COMPAT / "callbacks" / name: text for name, text in callback_headers().items()}
    absent = {COMPAT / "absent" / name: text for name, text in absent_headers().items()}
    system = {COMPAT / name: text for name, text in system_headers().items()}
    named = {COMPAT / name: text for name, text in named_headers().items()}
    return {**pages, **headers, **records, **callbacks, **absent, **system, **named}


def main() -> None:
    """Write every file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, metavar="DIR", help="write the pages of the site")
    site = parser.parse_args().site
    if site is not None:
        write_site(site, {name: make() for name, make in PAGES.items()})
        return
    for path, text in made().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
