"""The tables of programs of 1993 to 1995, and what the page on habits says of them."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from statistics import quantiles

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "habits.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| ([^|]+?) \| (\d+) of (\d+) \|(.*)\|$", re.MULTILINE)


@pytest.mark.parametrize("name", ["68K", "PowerPC"])
def test_the_page_tells_what_the_table_has(name: str) -> None:
    path = ROOT / "posts" / "habits" / f"{name.lower()}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    part = PAGE.partition(f"\n| {name} | programs |")[2].partition("\n\n")[0]
    told = _ROW.findall(part)
    assert len(told) > 5
    for habit, shows, of, shares in told:
        pairs = [(int(r[habit]), int(r[f"{habit}: of"])) for r in rows if int(r[f"{habit}: of"])]
        assert (int(shows), int(of)) == (sum(count > 0 for count, _ in pairs), len(pairs)), habit
        expected = quantiles([count / most for count, most in pairs], method="inclusive")
        expected.append(sum(count for count, _ in pairs) / sum(most for _, most in pairs))
        assert shares.split("|") == [f" {share:.1%} " for share in expected], habit
    assert f"`posts/habits/{path.name}` ({len(rows)} programs" in PAGE.replace("\n", " ")


def test_every_row_is_possible() -> None:
    for path in sorted((ROOT / "posts" / "habits").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            assert int(row["instructions"]) >= 300
            assert 0 < int(row["bytes reached"]) <= int(row["bytes"]), row["program"]
