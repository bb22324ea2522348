"""Pictures that a function of the case draws: of what came, of what was expected, and refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emu.base.errors import CaseError
from emu.cases.case_file import read_case
from emu.cases.skeletons.prototype import read_prototype
from emu.cases.skeletons.skeleton import write_skeleton

# The bytes beside one another, two rows high; with a Pillow image as with an array.
DRAW = """
from PIL import Image

def draw(scene, answer):
    return np.repeat(np.array([answer.bytes], np.uint8), 2, axis=0)

def draw_in_colour(scene, answer):
    return Image.fromarray(draw(scene, answer)).convert("RGB")

def draw_wide(scene, answer):
    return np.zeros((1, 1 + int(sum(answer.bytes)) % 97), np.uint8)

def fail(scene, answer):
    raise KeyError("no such colour")

def give(scene, answer):
    return GIVEN
"""
Command = Callable[..., "Outcome"]


class Outcome:
    """What `macproof` of conftest.py gives."""

    code: int
    out: str
    err: str


@pytest.fixture
def place(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    """A new case with a buffer of bytes, and functions to draw it."""
    compilers("68040")
    made = write_skeleton("mine", read_prototype("void F(Byte *bytes, short n, short a)"), tmp_path)
    with (made / "mine_reference.py").open("a") as reference:
        reference.write(DRAW)
    return made


def draw_by(place: Path, function: str, more: str = "") -> Path:
    with (place / "case.yaml").open("a") as file:
        file.write(f'picture: {{draw: "mine_reference:{function}"{more}}}\n')
    return place


def show(macproof: Command, place: Path, *words: str | Path) -> Outcome:
    return macproof("show", place, "--objects", 5, "-o", place / "x.png", *words)


def break_last(place: Path) -> None:
    """The last byte is left as it was."""
    source = place / "mine.c"
    text = source.read_text()
    loop = "i < n; i++)\n        bytes"
    assert text.count(loop) == 1
    source.write_text(text.replace(loop, "i < n - 1; i++)\n        bytes"))


@pytest.mark.parametrize("function", ["draw", "draw_in_colour"])
def test_what_came_is_drawn(function: str, macproof: Command, place: Path):
    done = show(macproof, draw_by(place, function), "--html", place / "x.html")
    assert (done.code, done.err) == (0, "")
    assert "same as the reference" in done.out
    pixels = np.asarray(Image.open(place / "x.png"))
    case = read_case(place / "case.yaml")
    assert pixels.shape == (2, 5, 3)
    assert len(set(pixels[0, :, 0].tolist())) > 1
    assert (pixels == pixels[:1, :, :1]).all()
    page = (place / "x.html").read_text()
    assert page.count("data:image/png;base64,") == 1
    assert case.title in page


def test_wrong_pixels_are_red(macproof: Command, place: Path):
    break_last(draw_by(place, "draw"))
    done = show(macproof, place, "--html", place / "x.html", "--json", place / "x.json")
    assert done.code == 1
    assert "refuted (memory or the call contract is wrong)" in done.out
    pixels = np.asarray(Image.open(place / "x.png"))
    red = (pixels == (220, 0, 0)).all(axis=2)
    assert red.tolist() == [[False] * 4 + [True]] * 2
    assert (place / "x.html").read_text().count("data:image/png;base64,") == 2
    assert json.loads((place / "x.json").read_text())["objects"] == []


@pytest.mark.slow
def test_explain_and_verify_draw_it_too(macproof: Command, place: Path):
    break_last(draw_by(place, "draw"))
    one = ("--cpu", "68040", "--build", "O2", "--html", place / "x.html")
    for command in ("verify", "explain"):
        assert macproof(command, place, *one).code == 1
        page = (place / "x.html").read_text()
        assert re.search("Expected result.*data:image/png;base64,", page, re.DOTALL)


def test_pictures_of_two_sizes_stand_side_by_side(macproof: Command, place: Path):
    break_last(draw_by(place, "draw_wide"))
    assert show(macproof, place).code == 1
    pixels = np.asarray(Image.open(place / "x.png"))
    assert not (pixels == (220, 0, 0)).all(axis=2).any()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("None", "object of shape ()"),
        ("[[1, 2], [3]]", "fails on anywhere, 5 objects, seed 1994"),
        ("np.zeros((2, 2))", "float64 of shape (2, 2)"),
        ("np.zeros((2, 2), bool)", "bool of shape (2, 2)"),
        ("np.zeros((2, 2, 4), np.uint8)", "uint8 of shape (2, 2, 4)"),
        ("np.zeros(4, np.uint8)", "uint8 of shape (4,)"),
        ("np.zeros((0, 4), np.uint8)", "uint8 of shape (0, 4)"),
        ("np.zeros((1, 4097), np.uint8)", "uint8 of shape (1, 4097)"),
    ],
)
def test_what_is_no_picture_is_refused(given: str, words: str, macproof: Command, place: Path):
    reference = place / "mine_reference.py"
    reference.write_text(reference.read_text().replace("return GIVEN", f"return {given}"))
    done = show(macproof, draw_by(place, "give"))
    assert done.code == 2
    assert words in done.err
    assert "mine_reference:give" in done.err
    assert not (place / "x.png").exists()


def test_a_function_that_fails_is_named(macproof: Command, place: Path):
    done = show(macproof, draw_by(place, "fail"))
    assert done.code == 2
    assert "mine_reference:fail fails on anywhere, 5 objects, seed 1994: KeyError: 'no such" in (
        " ".join(done.err.split())
    )


@pytest.mark.parametrize(
    ("function", "more", "words"),
    [
        ("drew", "", "mine_reference:drew cannot be imported"),
        ("draw", ', grid: "mine_reference:draw"', "draw cannot have another key beside it"),
    ],
)
def test_a_mistake_in_the_case_file(function: str, more: str, words: str, place: Path):
    draw_by(place, function, more)
    with pytest.raises(CaseError, match=re.escape(words)) as refused:
        read_case(place / "case.yaml")
    assert refused.value.where == "line 21"
