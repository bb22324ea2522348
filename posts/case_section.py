"""What a case file says for the posts: ``extra: {posts: ...}``."""

from __future__ import annotations

import json
from importlib import resources

from macproof import Case, YamlSection

NAME = "posts"


def section_of(case: Case) -> YamlSection | None:
    """The section of a case for the posts; None if it has none.

    Raises:
        CaseError: it does not fit ``case_section.schema.json``.
    """
    section = case.extra.get(NAME)
    if section is not None:
        schema = resources.files("posts").joinpath("case_section.schema.json").read_text()
        section.check(json.loads(schema))
    return section
