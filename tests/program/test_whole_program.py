"""Programs with the code resources of their files."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.port.project.create import NewPort, create_port
from emu.port.project.project import read_project
from emu.program.declarations.places import find_data, find_routine
from emu.program.functions.find_functions import find_functions
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.program.whole_program import read_whole_program
from tests.program.code_samples import write_application

CODE = bytes.fromhex("600a 0000 58434d44 0080 0000 4e560000 4e5e 4e75 0000")
NATIVE = bytes.fromhex("aafe0000")


def of_resources(folder: Path, *resources: Resource) -> Path:
    path = folder / "Only.bin"
    fork = make_resource_fork(resources)
    path.write_bytes(make_macbinary("Only", type="rsrc", creator="????", resource_fork=fork))
    return path


def test_code_resources_are_segments_beside_those_of_the_application(tmp_path: Path) -> None:
    more = [Resource("CDEF", 128, "Own", 0, CODE), Resource("WDEF", 1, "", 0, NATIVE)]
    program = read_whole_program(write_application(tmp_path, "7001 4e75", more=more))
    names = [segment.name for segment in program.segments]
    assert names[0] == "CODE 1"
    assert names[-1] == "CDEF 128 Own"  # the other one is no 68K code
    places = [function.place for function in find_functions(program).functions]
    assert places == ["CODE 1+0x4", "CDEF 128+0x0", "CDEF 128+0xc"]  # its header jumps there
    start = find_routine(program, "CDEF 128+0x0")
    assert find_data(program, "CDEF 128+0x14") == start + 0x14
    extents = sorted((segment.address, segment.end) for segment in program.segments)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(extents))


def test_a_file_may_have_nothing_but_code_resources(tmp_path: Path) -> None:
    path = of_resources(tmp_path, Resource("XCMD", 128, "", 0, CODE))
    project, _ = create_port(tmp_path / "port", NewPort(path, convention="think-c-16"))
    functions = find_functions(read_project(project).read_original()).functions
    assert [function.place for function in functions] == ["XCMD 128+0x0", "XCMD 128+0xc"]


def test_why_no_code_resource_can_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="Mixed Mode"):
        read_whole_program(of_resources(tmp_path, Resource("XCMD", 128, "", 0, NATIVE)))
    with pytest.raises(ProgramError):
        read_whole_program(of_resources(tmp_path, Resource("STR ", 128, "", 0, b"\0")))
