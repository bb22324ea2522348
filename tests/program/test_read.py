"""Any executable: known by what is in it, and found in any container with its symbols."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import ProgramError
from emu.program import host_file, read_program
from emu.program.code68k.code_resources import read_code_program
from emu.program.fragments.cfrg import CodeFragment, parse_code_fragments
from emu.program.mac_program import read_executable
from emu.program.symbols.symbol_files import find_symbols
from tests.program import fragment_samples as sample
from tests.program import mac_samples
from tests.program.code_samples import RTS, code_0, near

Put = Callable[[str, bytes], Path]

PATH = Path("App")
CODE = b"\x4e\x80\x00\x20" * 4
DATA = struct.pack(">4I", 4, 0, 0, 0)
PEF = sample.pef(
    [sample.Section(0, CODE), sample.Section(1, DATA)],
    sample.loader_section(relocations={1: sample.run(3, 1)}, main=(1, 0)),
)
XCOFF = sample.xcoff(
    CODE,
    DATA,
    0,
    [sample.Symbol(".Routine", 4, sample.TEXT_SECTION, sample.PROGRAM_CODE, length=12)],
)
CLASSIC = (
    ("CODE", 0, b"", 0, code_0([("near", 1, 0)])),
    ("CODE", 1, b"Main", 0, near(RTS)),
)


def power(offset: int = 0, length: int = 0) -> bytes:
    """The 'cfrg' of a PowerPC application in the data fork."""
    return sample.cfrg((b"pwpc", 1, 1, offset, length, "App"))


def mac_file(*resources: tuple[str, int, bytes, int, bytes], data: bytes = b"") -> bytes:
    """A file in MacBinary III."""
    return mac_samples.macbinary(3, data, mac_samples.resource_fork(resources))


POWER = mac_file(("cfrg", 0, b"", 0, power()), data=PEF)
FAT = mac_file(*CLASSIC, ("cfrg", 0, b"", 0, power()), data=PEF)


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file and gives its path."""

    def write(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return path

    return write


# -- what a file is -----------------------------------------------------------------------------


def test_elf_and_xcoff(put: Put, programs: Path) -> None:
    assert read_program(programs / "calls-ppc.elf").convention == ""
    program = read_program(put("none.txt", XCOFF))
    assert program.function("Routine") == program.segments[0].address + 4


def test_a_power_macintosh_application(put: Put) -> None:
    for name, data in [
        ("App.bin", POWER),
        ("App.pef", PEF),
        ("App.single", mac_samples.apple_single(
            entries={9: mac_samples.finder_info(), 1: PEF, 2: mac_samples.resource_fork(
                [("cfrg", 0, b"", 0, power())]
            )}
        )),
        ("App.dsk", mac_samples.hfs_image({("App",): mac_samples.hfs_file(
            PEF, mac_samples.resource_fork([("cfrg", 0, b"", 0, power())])
        )})),
    ]:  # fmt: skip
        path = put(name, data)
        program = read_program(path)
        assert program.architecture == "powerpc", name
        code, memory = program.segments
        assert memory.data[:8] == struct.pack(">2I", code.address + 4, memory.address)
        assert program.registers == {"r2": memory.address}
        found = read_executable(path)
        assert found.architectures == ("powerpc",)
        assert found.pef is not None
        assert found.pef.main == (1, 0)


def test_a_68k_application(put: Put) -> None:
    program = read_program(put("App.bin", mac_file(*CLASSIC)))
    assert (program.architecture, "a5" in program.registers) == ("m68k", True)


def test_a_fat_application_holds_both(put: Put) -> None:
    path = put("App.bin", FAT)
    assert read_executable(path).architectures == ("m68k", "powerpc")
    with pytest.raises(ProgramError, match=r"it is a fat application.*Say which is meant"):
        read_program(path)
    for architecture in ("m68k", "powerpc"):
        assert read_program(path, architecture=architecture).architecture == architecture


@pytest.mark.parametrize("data", [b"", b" "])
def test_a_fat_application_whose_fragment_was_taken_out_is_for_the_68k(
    put: Put, data: bytes
) -> None:
    path = put("App.bin", mac_file(*CLASSIC, ("cfrg", 0, b"", 0, power(0, 4096)), data=data))
    found = read_executable(path)
    assert (found.architectures, found.pef) == (("m68k",), None)
    assert f"the data fork has {len(data)} bytes" in found.finding
    assert read_program(path).architecture == "m68k"
    damaged = mac_file(*CLASSIC, ("cfrg", 0, b"", 0, power(0, 4096)), data=PEF)
    with pytest.raises(ProgramError, match="has bytes 0 to 4096 of the data fork"):
        read_executable(put("Damaged.bin", damaged))


def test_the_first_powerpc_application_of_a_file_is_meant(put: Put) -> None:
    fragments = sample.cfrg(
        (b"m68k", 1, 1, 0, 0, "CFM-68K"),
        (b"pwpc", 0, 1, 0, 4, "A library"),
        (b"pwpc", 1, 1, 16, len(PEF), "App"),
        (b"pwpc", 1, 1, 0, 4, "Not this"),
    )
    data = bytes(16) + PEF + b"more"
    found = read_executable(put("App.bin", mac_file(("cfrg", 0, b"", 0, fragments), data=data)))
    assert found.architectures == ("powerpc",)
    assert [f.name for f in found.fragments] == ["CFM-68K", "A library", "App", "Not this"]


def test_a_fragment_that_is_no_application(put: Put) -> None:
    fragments = sample.cfrg((b"pwpc", 0, 1, 0, 0, "A library"))
    path = put("Lib.bin", mac_file(("cfrg", 0, b"", 0, fragments), data=PEF))
    found = read_executable(path)
    assert (found.architectures, [one.name for one in found.libraries]) == ((), ["A library"])
    assert read_program(path).architecture == "powerpc"


def test_a_fragment_for_the_68k_is_named(put: Put) -> None:
    fragments = sample.cfrg((b"m68k", 1, 1, 0, 0, "App"))
    path = put("App.bin", mac_file(("cfrg", 0, b"", 0, fragments), data=PEF))
    with pytest.raises(ProgramError, match=r"fragment for the 68K \(CFM-68K\)"):
        read_program(path)


@pytest.mark.parametrize("name", ["", "no/such", "a.dsk:Name"])
def test_what_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError):
        read_program(tmp_path / name)


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"\x01\xdf" + bytes(18), b"plain text" * 99])
def test_what_is_no_program(put: Put, data: bytes) -> None:
    with pytest.raises(ProgramError):
        read_program(put("file", data))


# -- symbols beside a file ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("App.bin", "App.xcoff"),
        ("App.bin", "App.bin.xcoff"),
        ("Other.bin", "Four Shifts.xcoff"),
        ("App.pef", "App.xcoff"),
        ("%App", "App.xcoff"),
        ("App.code.bin", "App.xcoff"),
        ("My.App.code.bin", "My.App.xcoff"),
        ("._App", "App.xcoff"),
    ],
)
def test_symbols_are_found_beside(put: Put, name: str, beside: str) -> None:
    path = put(name, PEF if name.endswith("pef") else POWER)
    assert read_program(path).symbol_file is None
    symbols = put(beside, XCOFF)
    program = read_program(path)
    assert program.symbol_file == symbols
    assert program.function("Routine") == program.segments[0].address + 4


@pytest.mark.parametrize("suffix", [".code.bin.gdb", ".xcoff", ".pef.gdb"])
@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("App.bin", "App"),
        ("App.bin", "App.bin"),
        ("App.bin", "Four Shifts"),
        ("My.App.code.bin", "My.App"),
        ("%App", "App"),
        ("._App", "App"),
        (".rsrc/App", "App"),
        (".finf/App", "App"),
        (".AppleDouble/App", "App"),
        (".finf/App", ".finf/App"),
    ],
)
def test_both_processors_symbols_are_looked_for_in_the_same_places(
    put: Put, name: str, beside: str, suffix: str
) -> None:
    file = read_executable(put("Any.bin", FAT)).file
    folder = file.path.parent
    (folder / name).parent.mkdir(exist_ok=True)
    file = replace(file, path=folder / name)
    architecture = "m68k" if suffix == ".code.bin.gdb" else "powerpc"
    assert find_symbols(file, architecture) is None
    symbols = put(f"{beside}{suffix}", b"")
    assert find_symbols(file, architecture) == symbols


def test_the_symbols_of_a_68k_program_are_looked_for_where_those_of_another_are(put: Put) -> None:
    path = put("._App", mac_file(*CLASSIC))
    put("App.code.bin.gdb", b"no ELF")
    with pytest.raises(ProgramError, match=r"App\.code\.bin\.gdb"):
        read_program(path)
    with pytest.raises(ProgramError, match=r"App\.code\.bin\.gdb"):
        read_code_program(read_executable(path).file)


def test_symbols_of_a_file_in_a_disk_image(put: Put) -> None:
    fork = mac_samples.resource_fork([("cfrg", 0, b"", 0, power())])
    path = put("disk.dsk", mac_samples.hfs_image({("App",): mac_samples.hfs_file(PEF, fork)}))
    symbols = put("App.xcoff", XCOFF)
    assert read_program(path).symbol_file == symbols
    assert read_program(Path(f"{path}:App")).symbol_file == symbols
    assert host_file(Path(f"{path}:App")) == path
    assert host_file(path) == path


def test_symbols_of_another_build_are_refused(put: Put) -> None:
    path = put("App.bin", POWER)
    put("App.xcoff", XCOFF.replace(CODE, CODE[::-1]))
    with pytest.raises(ProgramError, match=r"it is not what .* was made of"):
        read_program(path)


# -- the code fragment resource -----------------------------------------------------------------


def test_code_fragments() -> None:
    data = sample.cfrg((b"pwpc", 1, 1, 16, 32, "Übung"), (b"m68k", 0, 2, 0, 0, ""))
    first, second = parse_code_fragments(data, PATH)
    assert first == CodeFragment(
        "Übung", "powerpc", "application", "data fork", 16, 32, 0x4000, 7, 6
    )
    assert (second.architecture, second.usage, second.where) == ("m68k", "library", "resource")
    assert first.cut(bytes(16) + b"x" * 40, PATH) == b"x" * 32
    assert parse_code_fragments(sample.cfrg(), PATH) == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 of the header's 32 bytes"),
        (sample.cfrg(version=2), "of version 2"),
        (sample.cfrg(count=1), "fragment 0 of 1 is cut off"),
        (sample.cfrg(count=0xFFFFFFFF), "fragment 0 of 4294967295 is cut off"),
        (power()[:-4], "has 48 bytes, which cannot be"),
        (power()[:72] + b"\0\2" + power()[74:], "has 2 bytes, which cannot be"),
        (sample.cfrg((b"pwpc", 9, 1, 0, 0, "App")), "usage 9"),
        (sample.cfrg((b"pwpc", 1, 9, 0, 0, "App")), "place 9"),
    ],
)
def test_bad_code_fragments(data: bytes, message: str) -> None:
    with pytest.raises(ProgramError, match="'cfrg' 0") as caught:
        parse_code_fragments(data, PATH)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("offset", "length", "message"),
    [(99, 0, "99 to 40"), (0, 41, "0 to 41"), (20, 0xFFFFFFFF, "20 to 4294967315")],
)
def test_fragments_outside_the_data_fork(offset: int, length: int, message: str) -> None:
    (fragment,) = parse_code_fragments(power(offset, length), PATH)
    with pytest.raises(ProgramError, match=f"bytes {message} of the data fork, which has 40"):
        fragment.cut(bytes(40), PATH)


def test_fragments_elsewhere() -> None:
    (fragment,) = parse_code_fragments(sample.cfrg((b"pwpc", 1, 2, 0, 0, "App")), PATH)
    with pytest.raises(ProgramError, match="lies in a resource"):
        fragment.cut(bytes(40), PATH)


@given(st.binary(max_size=200))
def test_any_bytes_are_fragments_or_refused(data: bytes) -> None:
    header = struct.pack(">8I", 0, 0, 1, 0, 0, 0, 0, 2)
    for candidate in (data, header + data):
        try:
            assert len(parse_code_fragments(candidate, PATH)) <= 5
        except ProgramError as error:
            assert "'cfrg' 0" in str(error)
