"""Texts for routines that read texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import InputError
from emu.cases.case_file import read_case
from emu.cases.generators.texts import literals_of, random_text
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of
from emu.cases.skeletons.prototype import read_prototype
from emu.cases.skeletons.skeleton import write_skeleton

SOURCE = r"""
#include "left out.h"
/* "not this" */ // 'nor this'
const char *kName = "\pQUIT";
int f(char c) { return c == '\t' || c == '@' || c == '\x41' || c == '\101' ? 'TEXT' : "a\"b"[0]; }
"""


def words(seed: int, count: int) -> np.ndarray:
    return np.random.PCG64(seed).random_raw(count)


def test_the_literals_of_a_source(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    found = literals_of(tmp_path / "a.c")
    assert set(found) == {b"QUIT", b"\t", b"@", b"A", b"TEXT", b'a"b'}
    with pytest.raises(InputError, match="cannot be read"):
        literals_of(tmp_path / "b.c")


@pytest.mark.parametrize("count", [0, 1, 7, 400])
def test_a_text_has_a_byte_for_each_word_and_is_the_same_again(tmp_path: Path, count: int) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    text = random_text(words(1, count), tmp_path / "a.c")
    assert (text.dtype, len(text)) == (np.uint8, count)
    assert (text == random_text(words(1, count), tmp_path / "a.c")).all()
    if count == 400:
        assert b"QUIT" in bytes(text)
        assert any(digit in bytes(text) for digit in b"0123456789")


def test_a_new_case_for_a_buffer_of_characters_makes_texts(tmp_path: Path) -> None:
    """Random bytes have no digit in most scenes."""
    prototype = read_prototype("long Parse(const char *text, short count)")
    folder = write_skeleton("parse", prototype, tmp_path)
    source = folder / "parse.c"
    source.write_text(source.read_text() + '\nstatic const char *gWord = "KEYWORD";\n')
    case = read_case(folder / "case.yaml")
    assert "text" in case.generators
    texts = [bytes(scene_of(case, SceneName("text", 20, seed)).text) for seed in range(20)]
    assert sum(any(48 <= byte < 58 for byte in text) for text in texts) > 10
    assert any(b"KEYWORD" in text for text in texts)


def test_a_new_case_without_one_makes_none(tmp_path: Path) -> None:
    folder = write_skeleton("neg", read_prototype("short Neg(short a)"), tmp_path)
    assert "text" not in read_case(folder / "case.yaml").generators
