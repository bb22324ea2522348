"""``macproof inspect --resource``: code resources that are no segments of an application."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.program.mac_file.resource_fork import COMPRESSED, Resource, make_resource_fork
from tests.program.compressed_samples import with_repetitions

Run = Callable[..., Any]

# A branch over the header; main calls Draw, which calls MoveTo and has its name behind it.
DEFINITION = bytes.fromhex(
    "6008 0000 4c44 4546 0080"
    "4e56 0000 4eba 0006 4e5e 4e75"
    "4e56 0000 303c 1021 a893 4e5e 4e75 8444 7261 7700 0000"
)
# Flags, delay, mask, menu; Open, Prime, Control, Status, Close; a name of two letters.
DRIVER = bytes.fromhex(
    "4c00 0000 0000 0000 0016 0000 0018 001a 001c 022e 4400 7000 4e75 4e75 4e75 4e75"
)


@pytest.fixture
def definitions(tmp_path: Path) -> Path:
    """A file of code resources alone."""
    path = tmp_path / "Lists.rsrc"
    path.write_bytes(
        make_resource_fork(
            [
                Resource("LDEF", 128, "Plain", 0, DEFINITION),
                Resource("DRVR", 12, ".D", 0, DRIVER),
                Resource("LDEF", 129, "", COMPRESSED, with_repetitions(1, bytes.fromhex("4e75"))),
                Resource("WDEF", 1, "", 0, b""),
                Resource("WDEF", 2, "", 0, bytes.fromhex("aafe 0700") + bytes(28)),
                Resource("Mine", 1, "", 0, bytes.fromhex("a9c8 4e75")),
                Resource("STR ", 1, "", 0, b"\0"),
            ]
        )
    )
    return path


def test_the_whole_file_names_its_code(macproof: Run, definitions: Path) -> None:
    outcome = macproof("inspect", definitions)
    assert outcome.code == 0, outcome.err
    assert "--resource 'LDEF 128' looks into code that is no CODE resource" in outcome.out
    refused = macproof("inspect", definitions, "--functions")
    assert refused.code == 2
    assert "LDEF 128, LDEF 129, DRVR 12, WDEF 1, WDEF 2" in refused.err


def test_one_resource_in_words_and_as_json(
    macproof: Run, definitions: Path, tmp_path: Path
) -> None:
    path = tmp_path / "facts.json"
    outcome = macproof("inspect", definitions, "--resource", "LDEF 128", "--json", path)
    assert outcome.code == 0, outcome.err
    assert "68K program: code resource LDEF 128" in outcome.out
    assert "A893  MoveTo" in outcome.out
    (program,) = json.loads(path.read_text())["programs"]
    assert program["segments"][0]["name"] == "LDEF 128 Plain"


def test_functions_of_a_definition_procedure(
    macproof: Run, definitions: Path, tmp_path: Path
) -> None:
    path = tmp_path / "functions.json"
    words = ("inspect", definitions, "--resource", "LDEF 128")
    outcome = macproof(*words, "--functions", "--json", path)
    assert outcome.code == 0, outcome.err
    functions = {one["place"]: one for one in json.loads(path.read_text())["functions"]}
    assert functions["LDEF 128+0x0"]["evidence"] == ["entry"]
    assert functions["LDEF 128+0x16"]["callers"] == ["LDEF 128+0xa"], "behind the header"
    drawing = functions["LDEF 128+0x16"]
    assert (drawing["name"], drawing["toolbox"]) == ("Draw", {"MoveTo": 1})
    found = macproof(*words, "--find", "0x1021").out
    assert found.startswith("1 of ")
    assert "LDEF 128+0x16" in found
    listed = macproof(*words, "--routine", "LDEF 128+0x16").out
    places = [line.split()[1] for line in listed.splitlines()]
    assert places == ["128+0x16", "128+0x1a", "128+0x1e", "128+0x20", "128+0x22"]
    assert macproof(*words, "--routine", "Draw").out == listed


def test_a_driver_names_its_routines(macproof: Run, definitions: Path) -> None:
    out = macproof("inspect", definitions, "--resource", "DRVR 12", "--functions").out
    for name, place in (("Open", 0x16), ("Control", 0x18), ("Status", 0x1A), ("Close", 0x1C)):
        assert any(
            f"DRVR 12+{place:#x} " in line and line.endswith(name) for line in out.splitlines()
        ), out
    assert "Prime" not in out  # its place is 0: the driver has none


def test_any_type_may_hold_code_and_be_compressed(macproof: Run, definitions: Path) -> None:
    assert "SysBeep" in macproof("inspect", definitions, "--resource", "Mine 1", "--functions").out
    packed = macproof("inspect", definitions, "--resource", "LDEF 129", "--functions")
    assert packed.out.startswith("1 of 1 functions; 2 of 2 bytes"), packed.err


@pytest.mark.parametrize(
    ("title", "problem"),
    [
        ("LDEF", "'LDEF' is no resource"),
        ("LDEF 130", "it has no LDEF 130. It has LDEF 128, LDEF 129, DRVR 12"),
        ("CODE 1", "CODE 1 is a segment of an application"),
        ("WDEF 1", "it has 0 bytes, and no code"),
        ("WDEF 2", "it begins with a routine descriptor"),
    ],
)
def test_what_is_no_code_resource(
    macproof: Run, definitions: Path, title: str, problem: str
) -> None:
    for option in ((), ("--functions",), ("--routine", "Draw")):
        outcome = macproof("inspect", definitions, "--resource", title, *option)
        assert outcome.code == 2, outcome.out
        assert problem in outcome.err
