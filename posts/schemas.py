"""The JSON Schemas of the posts, for ``macproof schema``: an entry point names them."""

from __future__ import annotations

from collections.abc import Mapping

WRITTEN: Mapping[str, tuple[str, str]] = {
    "macproof.audit/1": ("posts.audit.report:AuditReport", "macproof audit --json"),
    "macproof.findings-report/1": (
        "posts.findings.report:FindingsReport",
        "macproof findings --json",
    ),
    "macproof.habit-prices/1": (
        "posts.habits.price_report:HabitPricesReport",
        "macproof timing --habits --json",
    ),
    "macproof.habits/1": ("posts.habits.model:HabitsReport", "macproof inspect --habits --json"),
    "macproof.systems-report/1": (
        "posts.comparison.report:ComparisonReport",
        "macproof compare --json",
    ),
    "macproof.timing/2": ("posts.timing.report:TimingReport", "macproof timing --json"),
}
"""What their commands write as JSON, by the names of schemas: the dataclass, and what it is of."""

READ: Mapping[str, tuple[str, str]] = {
    "macproof.claims/1": ("posts.audit:claims.schema.json", "claims of a post"),
    "macproof.findings/1": ("posts.findings:findings.schema.json", "findings of a post"),
    "macproof.habit-list/1": ("posts.habits:price_file.schema.json", "habits.yaml of a case"),
    "macproof.systems/1": ("posts.comparison:plan.schema.json", "plans of macproof compare"),
    "macproof.posts-case/1": ("posts:case_section.schema.json", "extra: posts in case files"),
}
"""What people write, by the names of schemas: the package with the file, and what it is of."""

SCHEMAS = {**WRITTEN, **READ}
