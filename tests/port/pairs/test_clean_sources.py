"""Sources of 1994 are cleaned by rules, and each program that was measured has a plan."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from emu.cycles.validation.compiler_pairs import compiler_pairs
from emu.toolbox.users.script import Script
from tests.port.pairs.__main__ import PLANS, SCRIPTS, _adapted
from tests.port.pairs.clean_sources import clean, declared, text_of

BY_OTHER_MEANS = {"SortLib 2.0"}
"""Measured without a plan: its private header is empty on the disc, and was written anew."""


def test_text_of_today() -> None:
    assert (
        text_of(b'int a;\rchar *b = "\xa5";\r\nint c;\x00')
        == 'int a;\nchar *b = "•";\nint c;\n'[:-1]
    )


def test_a_damaged_file_ends_with_a_whole_function() -> None:
    assert text_of(b"int a(void)\r{\r}\r\rint b(vo\x01\x02\rint c;\r") == "int a(void)\n{\n}\n"


def test_machine_code_is_declared() -> None:
    text = "void set(void) = {0x1};\nvoid task(void)\n{\n\tset();\n}\nint b;\n"
    assert declared(text, "task") == "void set(void) = {0x1};\nvoid task(void);\nint b;\n"


def test_sources_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "disc"
    (folder / "inner" / ".rsrc").mkdir(parents=True)
    (folder / "my file.c").write_bytes(b'#include "::inner:an h.h"\r')
    (folder / "inner" / "an h.h").write_bytes(b"int task(void) { }\r")
    (folder / "inner" / ".rsrc" / "a.c").write_bytes(b"\x00\x01")
    into = tmp_path / "clean"
    assert clean(folder, into, ["task"]) == [into / "my_file.c"]
    assert (into / "my_file.c").read_text() == '#include "an_h.h"\n'
    assert (into / "an_h.h").read_text() == "#pragma once\nint task(void);\n"
    assert sorted(path.name for path in into.iterdir()) == ["an_h.h", "my_file.c"]
    with pytest.raises(ValueError, match="tusk is not defined"):
        clean(folder, into, ["tusk"])


def test_plans_are_of_the_pairs_that_come_along() -> None:
    plans = yaml.safe_load(PLANS.read_text())
    measured = {(pair.program, pair.cpu) for pair in compiler_pairs().pairs}
    planned = {(plan["program"], plan["cpu"]) for plan in plans.values()}
    assert {(name, cpu) for name, cpu in measured if name not in BY_OTHER_MEANS} <= planned
    for name in plans:
        Script(SCRIPTS / f"{name}.yaml")


def test_a_description_is_adapted(tmp_path: Path) -> None:
    text = "sources: [a.c]\nconvention: think-c-16\ncflags: []\n# disk: files\n"
    adapted = _adapted(text, {"convention": "mpw-c", "disk": "Files"}, tmp_path)
    assert yaml.safe_load(adapted) == {
        "sources": ["a.c"],
        "convention": "mpw-c",
        "prefix": "MacHeaders",
        "cflags": ["-std=gnu89", "-fno-builtin"],
        "disk": str(tmp_path / "Files"),
    }
