"""What a case file says for the posts: ``extra: {posts: ...}``."""

from __future__ import annotations

from macproof import Case, YamlSection

NAME = "posts"


def section_of(case: Case) -> YamlSection | None:
    """The section of a case for the posts; None if it has none.

    Raises:
        CaseError: it does not fit ``case_section.schema.json``.
    """
    section = case.extra.get(NAME)
    if section is not None:
        section.check_by_file("posts:case_section.schema.json")
    return section
