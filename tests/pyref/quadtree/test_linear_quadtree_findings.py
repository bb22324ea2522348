"""The findings in the post on linear quadtrees: every number, worked out anew."""

from __future__ import annotations

import pytest

from tests.pyref.quadtree import linear_quadtree_findings as module
from tests.pyref.quadtree.linear_quadtree_findings import FINDINGS, Finding

FIGURES = {
    "Q1": [65536, 32768, 32768, 32768, 0],
    "Q2": [524288, 0],
    "Q4": [65536, 65536, 65536, 32768, 0, 32768, 0, 0, 65536, 65536, 65536],
    "Q5": [0],
    "Q6": [65280],
    "Q7": [719104, 177996, 0],
    "Q8": [42, 0],
    "Q9": [194, *(47, 58, 89, 0), *(78, 57, 59, 200), *(0, 194, 0, 0)],
    "Q10": [1225, 164, 2726, 720, 11264],
    "Q11": [2500, 1275, 50, 1225],
    "Q12": [32768, 33, 0, 33],
}


def test_every_defect_is_there_once():
    assert [finding.name for finding in FINDINGS] == list(FIGURES)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.name)
def test_the_figures_of_a_finding(finding: Finding):
    assert list(finding.figures().values()) == FIGURES[finding.name]
    assert finding.claim.endswith(".")
    assert finding.found.endswith(".")


def test_figures_are_worked_out_and_not_written_down(monkeypatch: pytest.MonkeyPatch):
    """With right neighbours in place of the printed ones the findings about them are gone."""
    right = module.neighbours_by_steps
    monkeypatch.setattr(module, "neighbours_of_listing", lambda codes, *_, **__: right(codes))
    monkeypatch.setattr(module, "top_right_of_listing", lambda codes, *_: right(codes)[:, 2])
    by_name = {finding.name: finding for finding in FINDINGS}
    assert set(by_name["Q4"].figures().values()) == {0}
    assert set(by_name["Q6"].figures().values()) == {0}
    assert by_name["Q1"].figures()["wrong as printed"] == 0
