"""Files of the C library of PowerPC programs: descriptors, streams, and values in text."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.c_library.formats import FormatError
from emu.toolbox.managers.c_library.scanning import scan_text
from emu.toolbox.managers.processes.fragments import Fragments
from tests.toolbox.conftest import do, make_mac

READ, WRITE, BOTH, APPEND, CREATE, TRUNCATE, EXCLUSIVE = 0, 1, 2, 8, 0x100, 0x200, 0x400
AT_END = 0x10


@pytest.fixture
def ppc() -> Macintosh:
    return make_mac("601")


def text(mac: Macintosh, string: bytes) -> int:
    place: int = mac.memory.new_pointer(len(string) + 1)
    mac.guest.write(place, string + b"\0")
    return place


def error(mac: Macintosh) -> tuple[int, int]:
    """errno and MacOSErr."""
    fragments = mac.managers["fragments"]
    assert isinstance(fragments, Fragments)
    places = fragments.variable("errno"), fragments.variable("MacOSErr")
    return mac.guest.u32(places[0]), mac.guest.i16(places[1])


def test_a_file_is_written_read_renamed_and_deleted(ppc: Macintosh) -> None:
    name, room = text(ppc, b"Notes"), text(ppc, b"one two")
    assert do(ppc, "open", name, READ) == -1
    assert error(ppc) == (2, -43)
    assert do(ppc, "open", name, WRITE | CREATE) == 3
    assert do(ppc, "write", 3, room, 7) == 7
    assert do(ppc, "lseek", 3, 4, 0) == 4
    assert do(ppc, "write", 3, text(ppc, b"2"), 1) == 1
    assert do(ppc, "close", 3) == 0
    assert do(ppc, "close", 3) == -1
    assert error(ppc) == (9, -51)
    assert ppc.files.contents("Notes") == b"one 2wo"
    assert do(ppc, "open", name, WRITE | CREATE | EXCLUSIVE) == -1
    assert error(ppc) == (17, -48)
    assert do(ppc, "open", name, READ) == 3
    assert do(ppc, "read", 3, room, 5) == 5
    assert (ppc.guest.read(room, 5), do(ppc, "read", 3, room, 9)) == (b"one 2", 2)
    assert do(ppc, "read", 3, room, 9) == 0
    assert do(ppc, "write", 3, room, 1) == -1
    assert error(ppc) == (13, -61)
    assert (do(ppc, "lseek", 3, -2, 2), do(ppc, "lseek", 3, 1, 1)) == (5, 6)
    assert do(ppc, "lseek", 3, -9, 1) == -1
    assert do(ppc, "close", 3) == 0
    assert do(ppc, "rename", name, text(ppc, b"Later")) == 0
    assert do(ppc, "unlink", name) == -1
    assert do(ppc, "remove", text(ppc, b"Later")) == 0
    assert do(ppc, "open", text(ppc, b"Later"), READ) == -1


def test_descriptors_append_empty_and_fill_up(ppc: Macintosh) -> None:
    ppc.files.add("Log", b"old")
    name, word = text(ppc, b"Log"), text(ppc, b"new")
    assert do(ppc, "open", name, WRITE | APPEND) == 3
    assert do(ppc, "write", 3, word, 3) == 3
    assert ppc.files.contents("Log") == b"oldnew"
    assert do(ppc, "close", 3) == 0
    assert do(ppc, "creat", name) == 3
    assert ppc.files.contents("Log") == b""
    assert do(ppc, "lseek", 3, 4, 0) == 4
    assert do(ppc, "write", 3, word, 1) == 1
    assert ppc.files.contents("Log") == b"\0\0\0\0n"
    assert do(ppc, "write", 1, word, 3) == do(ppc, "write", 2, word, 3) == 3
    assert bytes(ppc.host.outputs.console) == b"newnew"
    assert do(ppc, "read", 0, word, 3) == 0
    assert [do(ppc, "isatty", number) for number in (0, 2, 3)] == [1, 1, 0]


def test_files_are_streams(ppc: Macintosh) -> None:
    name, room = text(ppc, b"Lines"), text(ppc, bytes(32))
    assert do(ppc, "fopen", name, text(ppc, b"r")) == 0
    assert do(ppc, "fopen", name, text(ppc, b"z")) == 0
    stream = do(ppc, "fopen", name, text(ppc, b"w"))
    assert do(ppc, "fputs", text(ppc, b"first\rsecond"), stream) == 0
    assert do(ppc, "fputc", ord("!"), stream) == ord("!")
    assert do(ppc, "ftell", stream) == 13
    assert do(ppc, "fclose", stream) == 0
    assert do(ppc, "fclose", stream) == -1
    assert ppc.files.contents("Lines") == b"first\rsecond!"
    stream = do(ppc, "fopen", name, text(ppc, b"r"))
    assert do(ppc, "fgets", room, 32, stream) == room
    assert ppc.guest.c_string(room) == b"first\r"
    assert do(ppc, "fgets", room, 4, stream) == room
    assert ppc.guest.c_string(room) == b"sec"
    assert do(ppc, "getc", stream) == do(ppc, "ungetc", ord("o"), stream) == ord("o")
    assert do(ppc, "ftell", stream) == 9
    assert ppc.guest.u16(stream + 18) & AT_END == 0
    assert do(ppc, "fread", room, 3, 5, stream) == 1, "a third does not count"
    assert do(ppc, "_filbuf", stream) == -1
    assert ppc.guest.u16(stream + 18) & AT_END
    assert do(ppc, "fgets", room, 32, stream) == 0
    do(ppc, "rewind", stream)
    assert ppc.guest.u16(stream + 18) & AT_END == 0
    assert do(ppc, "fgetc", stream) == ord("f")
    assert do(ppc, "fseek", stream, -1, 2) == 0
    assert do(ppc, "fgetc", stream) == ord("!")
    assert do(ppc, "fputc", 65, stream) == -1


def stored(string: bytes, format_: bytes) -> tuple[int, bytes]:
    """What a scan answers, and what it has stored: 16 bytes for each value."""
    mac = make_mac("601")
    room = mac.memory.new_pointer(64, clear=True)
    places = iter(range(room, room + 64, 16)).__next__
    return scan_text(mac.guest, string, format_, places), mac.guest.read(room, 64)


WORD: Callable[[int], bytes] = lambda value: (value & 0xFFFFFFFF).to_bytes(4, "big")  # noqa: E731


@pytest.mark.parametrize(
    ("string", "format_", "answer", "values"),
    [
        (b" 12 -7", b"%d %d", 2, (WORD(12), WORD(-7))),
        (b"0x1f 017 9", b"%i%i%i", 3, (WORD(31), WORD(15), WORD(9))),
        (b"ff,-10", b"%x,%o", 2, (WORD(255), WORD(-8))),
        (b"12345", b"%2d%hd", 2, (WORD(12), (345).to_bytes(2, "big"))),
        (b"1.5e2 .25", b"%f %lf", 2, (struct.pack(">f", 150), struct.pack(">d", 0.25))),
        (b"Tom 42", b"%s%n", 1, (b"Tom\0", WORD(3))),
        (b"a b", b"%c%c%c", 3, (b"a", b" ", b"b")),
        (b"key=value;", b"%[a-z]=%[^;]", 2, (b"key\0", b"value\0")),
        (b"]x", b"%[]x]", 1, (b"]x\0",)),
        (b"7 8", b"%*d %d", 1, (WORD(8),)),
        (b"5%", b"%d%%", 1, (WORD(5),)),
        (b"x", b"%d", 0, ()),
        (b"  ", b"%d", -1, ()),
        (b"1;2", b"%d,%d", 1, (WORD(1),)),
    ],
)
def test_values_in_text(
    string: bytes, format_: bytes, answer: int, values: tuple[bytes, ...]
) -> None:
    found, room = stored(string, format_)
    assert found == answer
    for number, value in enumerate(values):
        assert room[16 * number : 16 * number + len(value)] == value


@pytest.mark.parametrize("format_", [b"%y", b"%", b"%[z-a]", b"%[abc"])
def test_a_format_that_cannot_be_is_named(format_: bytes) -> None:
    with pytest.raises(FormatError):
        stored(b"abc", format_)


def test_sscanf_takes_its_addresses_from_registers(ppc: Macintosh) -> None:
    string, format_ = text(ppc, b"3 4"), text(ppc, b"%d %d")
    room = ppc.memory.new_pointer(8)
    index = ppc.engine.index
    ppc.engine.registers[index["r5"]], ppc.engine.registers[index["r6"]] = room, room + 4
    assert do(ppc, "sscanf", string, format_) == 2
    assert (ppc.guest.u32(room), ppc.guest.u32(room + 4)) == (3, 4)


def test_numbers_with_fractions(ppc: Macintosh) -> None:
    string, end = text(ppc, b" -12.5e1x"), ppc.memory.new_pointer(4)
    do(ppc, "strtod", string, end)
    assert ppc.engine.register_file.double(1) == -125.0
    assert ppc.guest.u32(end) == string + 8
    do(ppc, "atof", text(ppc, b"none"))
    assert ppc.engine.register_file.double(1) == 0.0


def test_signals_and_texts_of_errors(ppc: Macintosh) -> None:
    assert ppc.guest.c_string(do(ppc, "strerror", 5)) == b"error 5"
    assert (do(ppc, "signal", 2, 0), do(ppc, "raise", 2)) == (1, 0), "it is ignored"
    assert do(ppc, "signal", 2, 1) == 0
    with pytest.raises(GuestStopError, match="signal 2"):
        do(ppc, "raise", 2)
