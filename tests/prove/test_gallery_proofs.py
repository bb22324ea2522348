"""Ten functions of the gallery are proved for all inputs, each with its controls."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import macproof as kit
from emu.base.functions import resolve
from emu.prove.prove import prove
from emu.prove.report import PROVED, InputRange
from tests.gallery.twins import EXAMPLES

pytest.importorskip("z3")

PAGE = Path(__file__).parents[2] / "docs" / "prove.md"
CPUS = ("68000", "68040", "601")


def gallery() -> dict[str, list[InputRange]]:
    """The examples of the page's table, each with the ranges that it is proved for."""
    section = PAGE.read_text(encoding="utf-8").split("### Ten functions")[1].split("\n##")[0]
    rows = re.findall(r"^\| `examples/(\S+?)` \|([^|]*)\|", section, re.MULTILINE)
    pattern = r"`--where (\w+)=(-?\d+)\.\.(-?\d+)`"
    return {
        name: [InputRange(field, int(a), int(b)) for field, a, b in re.findall(pattern, about)]
        for name, about in rows
    }


GALLERY = gallery()


def test_ten_functions_are_listed():
    assert len(GALLERY) == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", GALLERY)
def test_a_function_of_the_gallery_is_proved(compilers: Callable[..., Any], name: str):
    cpus = ["68040"] if name == "blitter" else CPUS  # it takes 35 s on each
    compilers(*cpus)
    case = kit.load_case(EXAMPLES / name)
    programs = kit.programs_of(case, cpus=cpus, builds=["O2"])
    report = prove(programs, seconds=300, where=GALLERY[name])
    assert [each.name for each in report.programs] == [f"{cpu} O2" for cpu in cpus]
    for proof in report.programs:
        assert (proof.verdict, proof.why) == (PROVED, ""), proof.name
        assert proof.controls is not None
        assert proof.controls.covers
        assert proof.controls.changed


def test_a_row_of_pixels_is_the_reference_in_whole_numbers():
    makes, row, right = (
        resolve(f"blitting:{name}", EXAMPLES / "blitter")
        for name in ("make_scene", "blit_row", "blit")
    )
    for seed in range(20):
        scene = makes("any", 1, seed, width=0, height=0)
        assert list(row(scene).screen) == right(scene).screen.tolist()
