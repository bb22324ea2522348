"""The commands of the posts: what entry points of the group ``macproof.commands`` name."""

from __future__ import annotations

from macproof import Command

FINDINGS = Command("show the defects of the published programs again", "posts.commands.findings")
AUDIT = Command("measure the numeric claims of the posts", "posts.commands.audit")
COMPARE = Command(
    "run all collision systems on the same objects, and say which to use", "posts.commands.compare"
)
IMPORT = Command("take the 1994 listing out of your copy of the post", "posts.commands.import_post")
