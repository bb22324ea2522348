"""``--prefix`` and ``--headers`` of ``macproof new``, and ``--prefix`` of ``inspect --like``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Run = Callable[..., Any]
ROOT = Path(__file__).parents[2]
BRICKS = ROOT / "examples" / "old-sources" / "Bricks.c"
ARCHIVER = ROOT / "examples" / "old-application" / "Archiver.bin"


def test_a_source_that_includes_nothing_needs_a_prefix(
    macproof: Run, tmp_path: Path, compilers: Callable[[], None]
) -> None:
    compilers()
    new = ("new", "hit", "--source", BRICKS, "--function", "HitBrick", "--folder", tmp_path)
    without = macproof(*new)
    assert without.code == 2
    assert "Bricks.h:8:5: error: unknown type name" in without.err
    assert list(tmp_path.iterdir()) == []
    prefix = tmp_path / "Prefix.h"
    prefix.write_bytes(b"#include <Quickdraw.h>\r#define kOurs 1\r")
    outcome = macproof(*new, "--prefix", "MacHeaders", "--prefix", prefix)
    assert outcome.code == 0, outcome.err
    case = yaml.safe_load((tmp_path / "hit" / "case.yaml").read_text())
    assert case["prefix"] == ["MacHeaders", "../Prefix.h"]
    assert macproof("verify", tmp_path / "hit", "--against", "O0", "--build", "O2").code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--prefix", "MacHeaders"), "--prefix needs --source"),
        (("--headers", "none"), "--headers needs --source"),
        (("--source", BRICKS, "--function", "HitBrick", "--prefix", "none/a.h"), "none/a.h"),
        (("--source", BRICKS, "--function", "HitBrick", "--prefix", os.curdir), "is a folder"),
        (("--source", BRICKS, "--function", "HitBrick", "--headers", "none"), "does not exist"),
    ],
)
def test_wrong_use_of_new(
    macproof: Run, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    outcome = macproof("new", "hit", "--folder", tmp_path, *options)
    assert outcome.code == 2
    assert words in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_a_function_is_looked_for_with_a_prefix(
    macproof: Run, compilers: Callable[[], None]
) -> None:
    compilers()
    like = ("inspect", ARCHIVER, "--like", f"{BRICKS}:HitBrick")
    assert macproof(*like).code == 2
    outcome = macproof(*like, "--prefix", "MacHeaders")
    assert outcome.code == 0, outcome.err
    assert "HitBrick, compiled for comparison" in outcome.out
    wrong = macproof(*like, "--prefix", "none/a.h")
    assert (wrong.code, wrong.err) == (
        2,
        "macproof: --prefix: there is no prefix header none/a.h\n",
    )
