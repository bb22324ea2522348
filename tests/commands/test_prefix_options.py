"""``--prefix`` and ``--headers`` of ``macproof new``, and ``--prefix`` of ``inspect --like``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from emu.base.errors import UsageError
from emu.cases.programs.programs import programs_of

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
    verify = ("verify", tmp_path / "hit", "--against", "O0", "--build", "O2")
    assert macproof(*verify, "--cpu", "68040", "--scenes", "40").code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--prefix", "MacHeaders"), "--prefix needs --source"),
        (("--headers", "none"), "--headers needs --source"),
    ],
)
def test_wrong_use_of_new(
    macproof: Run, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    outcome = macproof("new", "hit", "--folder", tmp_path, *options)
    assert outcome.code == 2
    assert words in outcome.err
    assert list(tmp_path.iterdir()) == []


WRONG = (
    (("--prefix", "none/a.h"), "--prefix: there is no prefix header none/a.h"),
    (("--prefix", os.curdir), "--prefix: the prefix header . is a folder; name a file in it"),
    (("--prefix", "Gone"), "--prefix: there is no prefix header Gone: neither among the headers"),
    (("--headers", "none"), "--headers: the folder of headers none does not exist"),
    (("--include", "none"), "--include: there is no folder none"),
)


@pytest.mark.parametrize(
    ("options", "said"),
    [*WRONG, (("--define", "1x"), "--define: '1x' is not a name, such as DEBUG")],
)
def test_new_names_the_option_that_is_wrong(
    macproof: Run,
    tmp_path: Path,
    compilers: Callable[[], None],
    options: tuple[str, ...],
    said: str,
) -> None:
    compilers()
    new = ("new", "hit", "--source", BRICKS, "--function", "HitBrick", "--folder", tmp_path)
    outcome = macproof(*new, *options)
    assert outcome.code == 2
    assert outcome.err.startswith(f"macproof: {said}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("options", "said"), [one for one in WRONG if "--headers" not in one[0]])
def test_like_names_the_option_that_is_wrong(
    macproof: Run, compilers: Callable[[], None], options: tuple[str, ...], said: str
) -> None:
    compilers()
    outcome = macproof("inspect", ARCHIVER, "--like", f"{BRICKS}:HitBrick", *options)
    assert outcome.code == 2
    assert outcome.err.startswith(f"macproof: {said}")


@pytest.mark.parametrize(
    ("options", "said"), [one for one in WRONG if not {"--include", "Gone"}.intersection(one[0])]
)
@pytest.mark.parametrize("command", ["verify", "build"])
def test_commands_of_a_case_name_the_option_that_is_wrong(
    macproof: Run, command: str, options: tuple[str, ...], said: str
) -> None:
    outcome = macproof(command, ROOT / "examples" / "quicksort", *options)
    assert outcome.code == 2
    assert outcome.err.startswith(f"macproof: {said}")


def test_the_library_names_its_argument() -> None:
    with pytest.raises(UsageError, match=r"^prefix: there is no prefix header none/a\.h"):
        programs_of(ROOT / "examples" / "quicksort", prefix=["none/a.h"])


def test_a_function_is_looked_for_with_a_prefix(
    macproof: Run, compilers: Callable[[], None]
) -> None:
    compilers()
    like = ("inspect", ARCHIVER, "--like", f"{BRICKS}:HitBrick")
    assert macproof(*like).code == 2
    outcome = macproof(*like, "--prefix", "MacHeaders")
    assert outcome.code == 0, outcome.err
    assert "HitBrick, compiled for comparison" in outcome.out
