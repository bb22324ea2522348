"""Names of routines in the code of PowerPC programs."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from emu.program.functions.traceback_tables import find_traceback_tables
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.runner.runner import RunRequest, run_request
from tests.program import fragment_samples as sample

NOP, RETURN, TRAP = 0x60000000, 0x4E800020, 0x7FE00008
HAS_DISTANCE, HAS_CONTROLLED = 0x20, 0x08
HANDLES_EXCEPTIONS, HAS_NAME = 0x80, 0x40


def routine(
    name: bytes,
    *instructions: int,
    first: int = HAS_DISTANCE,
    second: int = HAS_NAME,
    arguments: int = 0,
    between: bytes = b"",
    distance: int | None = None,
) -> bytes:
    """A routine and its table, with what lies between the distance and the name."""
    code = b"".join(word.to_bytes(4, "big") for word in (*instructions, RETURN))
    table = bytes([0, 0, first, second, 0x80, 0, *divmod(arguments << 1, 256)])
    table += bytes(4) * bool(arguments)
    table += struct.pack(">I", len(code) if distance is None else distance)
    table += between + struct.pack(">H", len(name)) + name
    return code + bytes(4) + table + bytes(-len(code + table) % 4)


def found(code: bytes) -> list[tuple[str, int, int]]:
    return [(t.name, at, t.function_size) for at, t in find_traceback_tables(code)]


def test_each_routine_has_its_name_place_and_size() -> None:
    one, two = routine(b".one", NOP), routine(b"two[PR]", NOP, NOP, arguments=3)
    three = routine(b"_ZN5ThreeC1Ev")
    assert found(one + two + three) == [
        ("one", 0, 8),
        ("two", len(one), 12),
        ("_ZN5ThreeC1Ev", len(one + two), 4),
    ]


def test_a_table_may_have_more_before_the_name() -> None:
    handled = routine(b"handled", second=HAS_NAME | HANDLES_EXCEPTIONS, between=bytes(4))
    controlled = routine(
        b"controlled",
        first=HAS_DISTANCE | HAS_CONTROLLED,
        between=struct.pack(">III", 2, 0x10, 0x20),
    )
    assert found(handled + controlled) == [("handled", 0, 4), ("controlled", len(handled), 4)]


@pytest.mark.parametrize(
    "damaged",
    [
        routine(b"name", distance=2),
        routine(b"name", distance=0),
        routine(b"name", distance=400),
        routine(b"\x01name"),
        routine(b""),
        routine(b"name", first=0),
        routine(b"name", first=HAS_DISTANCE | HAS_CONTROLLED, between=b"\xff" * 4),
        routine(b"longname")[:-6],
        routine(b"name")[:10],
        b"",
        bytes(64),
    ],
)
def test_what_is_no_whole_table_is_passed_over(damaged: bytes) -> None:
    assert found(damaged) == []
    whole = routine(b"whole")
    assert found(whole + damaged) == [("whole", 0, 4)]


def test_a_fault_names_the_routine(tmp_path: Path) -> None:
    loader = sample.loader_section(relocations={1: sample.run(3, 1)}, main=(1, 0))
    code = routine(b".Fails[PR]", NOP, TRAP)
    data = sample.pef([sample.Section(0, code), sample.Section(1, bytes(8))], loader)
    fragments = sample.cfrg((b"pwpc", 1, 1, 0, 0, "App"))
    fork = make_resource_fork([Resource("cfrg", 0, "", 0, fragments)])
    path = tmp_path / "App"
    path.write_bytes(
        make_macbinary("App", type="APPL", creator="????", data=data, resource_fork=fork)
    )
    result = run_request(RunRequest(path))
    assert " Fails+0x4\n" in result.problem
