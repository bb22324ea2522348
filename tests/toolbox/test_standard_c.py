"""The C library of PowerPC programs, against Python's own strings and formats."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import GuestError
from emu.program.fragments.system_variables import STREAM_SIZE
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.c_library.formats import FormatError, format_text
from emu.toolbox.managers.processes.fragments import Fragments
from tests.toolbox.conftest import do, make_mac, run_code

TEXT = st.binary(max_size=12).map(lambda raw: raw.replace(b"\0", b""))
MAC = make_mac("601")
A, B, C = (MAC.memory.new_pointer(256) for _ in range(3))


@pytest.fixture
def ppc() -> Macintosh:
    return make_mac("601")


def put(mac: Macintosh, place: int, text: bytes) -> int:
    mac.guest.write(place, text + b"\0")
    return place


def streams_of(mac: Macintosh) -> int:
    fragments = mac.managers["fragments"]
    assert isinstance(fragments, Fragments)
    return fragments.variable("_iob")


def words(*values: int | float) -> Callable[[], int]:
    raw = b"".join(
        struct.pack(">d", value) if isinstance(value, float) else (value & 0xFFFFFFFF).to_bytes(4)
        for value in values
    )
    return iter(struct.unpack(f">{len(raw) // 4}L", raw)).__next__


# -- strings ---------------------------------------------------------------------------------------


@given(a=TEXT, b=TEXT, count=st.integers(0, 14))
def test_strings(a: bytes, b: bytes, count: int) -> None:
    mac, guest = MAC, MAC.guest
    put(mac, A, a)
    put(mac, B, b)
    assert do(mac, "strlen", A) == len(a)
    assert do(mac, "strcmp", A, B) == (a > b) - (a < b)
    assert do(mac, "strncmp", A, B, count) == (a[:count] > b[:count]) - (a[:count] < b[:count])
    found = do(mac, "strstr", A, B)
    assert found == (A + a.find(b) if b in a else 0)
    spanned = next((n for n, letter in enumerate(a) if letter not in b), len(a))
    assert do(mac, "strspn", A, B) == spanned
    assert do(mac, "strcspn", A, B) == next((n for n, x in enumerate(a) if x in b), len(a))
    for letter in (*b[:2], 0):
        first = (a + b"\0").find(letter)
        assert do(mac, "strchr", A, letter) == (A + first if first >= 0 else 0)
        last = (a + b"\0").rfind(letter)
        assert do(mac, "strrchr", A, letter) == (A + last if last >= 0 else 0)
    guest.write(C, b"#" * 40)
    assert do(mac, "strncpy", C, A, count) == C
    assert guest.read(C, 16) == (a[:count].ljust(count, b"\0")).ljust(16, b"#")
    do(mac, "strcpy", C, A)
    do(mac, "strcat", C, B)
    do(mac, "strncat", C, A, count)
    assert guest.c_string(C) == a + b + a[:count]


@given(text=TEXT, separators=TEXT)
def test_pieces_between_separators(text: bytes, separators: bytes) -> None:
    put(MAC, A, text)
    put(MAC, B, separators)
    found, piece = [], do(MAC, "strtok", A, B)
    while piece:
        found.append(MAC.guest.c_string(piece))
        piece = do(MAC, "strtok", 0, B)
    for separator in separators:
        text = text.replace(bytes([separator]), b"\0")
    assert found == [piece for piece in text.split(b"\0") if piece]


def test_memory_blocks(ppc: Macintosh) -> None:
    guest = ppc.guest
    block = do(ppc, "malloc", 8)
    assert do(ppc, "memset", block, 0x141, 4) == block
    assert do(ppc, "memcpy", block + 4, block, 4) == block + 4
    assert guest.read(block, 8) == b"A" * 8
    guest.put8(block + 6, 0x42)
    assert do(ppc, "memcmp", block, block + 4, 4) == -1
    assert do(ppc, "memchr", block, 0x42, 8) == block + 6
    assert do(ppc, "memchr", block, 0x43, 8) == 0
    for routine in ("memcpy", "memset", "memcmp"):
        do(ppc, routine, 0, 0, 0)
    larger = do(ppc, "realloc", block, 100)
    assert guest.read(larger, 8) == b"AAAAAABA"
    cleared = do(ppc, "calloc", 3, 4)
    assert guest.read(cleared, 12) == bytes(12)
    assert do(ppc, "calloc", 0xFFFFFFFF, 0xFFFFFFFF) == 0
    assert do(ppc, "malloc", 0xFFFFFFF0) == 0
    do(ppc, "free", larger)
    do(ppc, "free", 0)
    assert not ppc.outputs.findings
    do(ppc, "free", larger)
    assert do(ppc, "realloc", larger, 5) == 0
    assert {finding.check for finding in ppc.outputs.findings.values()} == {"memory"}


def test_a_string_without_an_end_stops_the_program(ppc: Macintosh) -> None:
    with pytest.raises(GuestError, match="strlen"):
        do(ppc, "strlen", 0x7FFFFFFF)


def test_strings_that_begin_with_their_length(ppc: Macintosh) -> None:
    place = put(ppc, ppc.memory.new_pointer(300), b"hello")
    assert do(ppc, "c2pstr", place) == place
    assert ppc.guest.pascal_string(place) == b"hello"
    do(ppc, "p2cstr", place)
    assert ppc.guest.c_string(place) == b"hello"
    put(ppc, place, b"x" * 290)
    do(ppc, "C2PStr", place)
    assert ppc.guest.pascal_string(place) == b"x" * 255


def test_pascal_strings(ppc: Macintosh) -> None:
    guest, one, other = ppc.guest, ppc.memory.new_pointer(256), ppc.memory.new_pointer(256)
    guest.put_pascal_string(one, b"abcab")
    assert do(ppc, "PLstrcpy", other, one) == other
    assert (guest.pascal_string(other), do(ppc, "PLstrlen", other)) == (b"abcab", 5)
    assert do(ppc, "PLstrcmp", one, other) == 0
    do(ppc, "PLstrncpy", other, one, 2)
    assert guest.pascal_string(other) == b"ab"
    assert (do(ppc, "PLstrcmp", one, other), do(ppc, "PLstrncmp", one, other, 2)) == (1, 0)
    assert do(ppc, "PLstrchr", one, ord("b")) == do(ppc, "PLstrstr", one, other) + 1 == one + 2
    assert (do(ppc, "PLstrrchr", one, ord("b")), do(ppc, "PLstrchr", one, 0)) == (one + 5, 0)
    do(ppc, "PLstrncat", other, one, 3)
    do(ppc, "PLstrcat", other, one)
    assert guest.pascal_string(other) == b"ababcabcab"
    guest.put_pascal_string(one, bytes(250))
    do(ppc, "PLstrcat", one, other)
    assert guest.u8(one) == 255
    assert do(ppc, "PLstrstr", other, one) == 0


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "base", "value", "used"),
    [
        (b"  -42x", 10, -42, 5),
        (b"0x1F", 16, 31, 4),
        (b"0x1F", 0, 31, 4),
        (b"017", 0, 15, 3),
        (b"0", 0, 0, 1),
        (b"0x", 0, 0, 1),
        (b"zz", 36, 35 * 36 + 35, 2),
        (b"12", 2, 1, 1),
        (b"", 10, 0, 0),
        (b"+", 10, 0, 0),
        (b"99999999999999", 10, 0x7FFFFFFF, 14),
        (b"-99999999999999", 10, -0x80000000, 15),
    ],
)
def test_numbers_in_strings(ppc: Macintosh, text: bytes, base: int, value: int, used: int) -> None:
    place, end = put(ppc, ppc.memory.new_pointer(32), text), ppc.memory.new_pointer(4)
    assert do(ppc, "strtol", place, end, base) == value
    assert ppc.guest.u32(end) == place + used
    do(ppc, "strtoul", place, 0, base)
    if base == 10 and abs(value) < 1 << 20:
        assert do(ppc, "atoi", place) == value


def test_letters_and_random_numbers(ppc: Macintosh) -> None:
    assert [do(ppc, "toupper", ord(letter)) for letter in "az{A"] == [65, 90, 123, 65]
    assert [do(ppc, "tolower", ord(letter)) for letter in "AZ[a"] == [97, 122, 91, 97]
    assert do(ppc, "abs", -5) == 5
    numbers = [do(ppc, "rand") for _ in range(3)]
    assert numbers == [16838, 5758, 10113], "the C standard's example with seed 1"
    do(ppc, "srand", 1)
    assert do(ppc, "rand") == numbers[0]


# -- sorting with a routine of the program ---------------------------------------------------------

# lwz r3,0(r3); lwz r4,0(r4); subf r3,r4,r3; blr
COMPARE = bytes.fromhex("80630000 80840000 7c641850 4e800020")


@given(numbers=st.lists(st.integers(-1000, 1000), max_size=30))
def test_sorting_and_finding(numbers: list[int]) -> None:
    mac, guest = MAC, MAC.guest
    vector, code = C, C + 16
    guest.write(code, COMPARE)
    guest.put32(vector, code)
    mac.engine.forget_code(code, 16)
    guest.write(A, struct.pack(f">{len(numbers)}l", *numbers))
    do(mac, "qsort", A, len(numbers), 4, vector)
    ordered = struct.unpack(f">{len(numbers)}l", guest.read(A, 4 * len(numbers)))
    assert list(ordered) == sorted(numbers)
    for wanted in (*numbers[:3], 2000):
        guest.put32(B, wanted)
        found = do(mac, "bsearch", B, A, len(numbers), 4, vector)
        assert bool(found) == (wanted in numbers)
        if found:
            assert guest.i32(found) == wanted


def test_sorting_more_than_there_is_stops_the_program(ppc: Macintosh) -> None:
    do(ppc, "qsort", 0, 0xFFFFFFFF, 0, 0)
    with pytest.raises(GuestError, match="qsort"):
        do(ppc, "qsort", A, 0x40000000, 4, 0)


# -- formatted text --------------------------------------------------------------------------------


@given(
    flags=st.text(alphabet="-+ #0", max_size=3),
    width=st.integers(0, 20),
    precision=st.none() | st.integers(0, 12),
    kind=st.sampled_from("dxXo"),
    value=st.integers(0, (1 << 31) - 1),
)
def test_integers_are_formatted_as_by_python(
    flags: str, width: int, precision: int | None, kind: str, value: int
) -> None:
    if "#" in flags and (kind == "o" or not value or precision is not None):
        flags = flags.replace("#", "")  # Python writes 0o, and 0x0
    if precision is not None:
        flags = flags.replace("0", "")  # C ignores it beside a precision, Python does not
    if precision == 0 and not value:
        precision = None
    if kind != "d":
        flags = flags.replace("+", "").replace(" ", "")
    spelling = f"%{flags}{width or ''}{'' if precision is None else f'.{precision}'}{kind}"
    assert format_text(MAC.guest, spelling.encode(), words(value)) == (spelling % value).encode()


@given(
    flags=st.text(alphabet="-+ 0", max_size=3),
    width=st.integers(0, 20),
    precision=st.integers(0, 10),
    kind=st.sampled_from("feEgG"),
    value=st.floats(),
)
def test_doubles_are_formatted_as_by_python(
    flags: str, width: int, precision: int, kind: str, value: float
) -> None:
    spelling = f"%{flags}{width or ''}.{precision}{kind}"
    if value != value or value in (float("inf"), float("-inf")):
        flags = flags.replace("0", "")
    expected = (f"%{flags}{width or ''}.{precision}{kind}" % value).encode()
    assert format_text(MAC.guest, spelling.encode(), words(value)) == expected


@pytest.mark.parametrize(
    ("format_", "arguments", "text"),
    [
        (b"plain", (), b"plain"),
        (b"100%%", (), b"100%"),
        (b"%d %u", (-1, -1), b"-1 4294967295"),
        (b"%hd %hu %hhd", (0x18000, 0x18000, 0x1FF), b"-32768 32768 -1"),
        (b"%lld", (-1, -2), b"-2"),
        (b"%ld|%5c|%-3c|", (7, 65, 66), b"7|    A|B  |"),
        (b"%*d|%-*d|", (4, 1, 4, 2), b"   1|2   |"),
        (b"%*d|", (-4, 1), b"1   |"),
        (b"%.*d", (3, 5), b"005"),
        (b"%.*d", (-3, 5), b"5"),
        (b"%.0d", (0,), b""),
        (b"%p %#x", (0x1234, 255), b"1234 0xff"),
        (b"%08x|%#08x", (255, 255), b"000000ff|0x0000ff"),
        (b"%f %d", (1.5, 3), b"1.500000 3"),
        (b"%s", (0,), b"(null)"),
    ],
)
def test_formats(format_: bytes, arguments: tuple[int | float, ...], text: bytes) -> None:
    assert format_text(MAC.guest, format_, words(*arguments)) == text


@pytest.mark.parametrize(
    "format_",
    [
        b"%",
        b"%y",
        b"%n",
        b"%99999d",
        b"%" + b"9" * 5000 + b"d",
        b"%.1234567890s",
        b"%*d",
        b"%Lf",
        b"%5",
    ],
)
def test_formats_that_cannot_be(format_: bytes) -> None:
    with pytest.raises(FormatError):
        format_text(MAC.guest, format_, words(100000, 0, 0))


def test_printing_to_the_console(ppc: Macintosh) -> None:
    registers, index = ppc.engine.registers, ppc.engine.index
    format_ = put(ppc, ppc.memory.new_pointer(64), b"%d %d %d %d %d %d %d %d %s %#s\n")
    text = put(ppc, ppc.memory.new_pointer(16), b"\3ab")
    for number in range(7):
        registers[index["r4"] + number] = number
    registers[index["r1"]] -= 128
    stack = registers[index["r1"]]
    for number, word in enumerate((7, text, text)):
        ppc.guest.put32(stack + 24 + 4 * (8 + number), word)
    ppc.guest.put8(text + 3, ord("c"))
    assert do(ppc, "printf", format_) == len(ppc.outputs.console)
    assert ppc.outputs.console.startswith(b"0 1 2 3 4 5 6 7 \3abc")
    assert ppc.outputs.console.endswith(b" abc\n")
    target = ppc.memory.new_pointer(64)
    put(ppc, format_, b"<%d>")
    registers[index["r5"]] = -9 & 0xFFFFFFFF
    assert do(ppc, "sprintf", target, format_) == 4
    assert ppc.guest.c_string(target) == b"<-9>"
    arguments = ppc.memory.new_pointer(8)
    ppc.guest.put32(arguments, 12)
    assert do(ppc, "vsprintf", target, format_, arguments) == 4
    ppc.outputs.console.clear()
    do(ppc, "vprintf", format_, arguments)
    do(ppc, "puts", target)
    do(ppc, "putchar", 0x141)
    assert ppc.outputs.console == b"<12><12>\nA"
    put(ppc, format_, b"%n")
    with pytest.raises(GuestError, match="%n"):
        do(ppc, "printf", format_)


# -- the end ---------------------------------------------------------------------------------------


def test_the_end_calls_what_was_registered_last_first(ppc: Macintosh) -> None:
    place = ppc.memory.new_pointer(128, clear=True)
    ppc.guest.write(place + 96, struct.pack(">4L", 0, 0, 0, 0))
    for number in (1, 2):
        # lis r4,place@h; ori r4,r4,place@l; lwz r5,0(r4); mulli r5,r5,10; addi r5,r5,number;
        # stw r5,0(r4); blr
        counter = place + 96
        code = struct.pack(
            ">7L",
            0x3C800000 | counter >> 16,
            0x60840000 | counter & 0xFFFF,
            0x80A40000,
            0x1CA5000A,
            0x38A50000 | number,
            0x90A40000,
            0x4E800020,
        )
        start = place + 48 * (number - 1)
        ppc.guest.write(start, struct.pack(">2L", start + 8, 0) + code)
        assert do(ppc, "atexit", start) == 0
    with pytest.raises(ProgramExit):
        do(ppc, "exit", 0)
    assert ppc.guest.u32(place + 96) == 21
    assert [do(ppc, "atexit", place) for _ in range(33)][-1] == 1
    with pytest.raises(GuestError, match="abort"):
        do(ppc, "abort")


def test_time_passes(ppc: Macintosh) -> None:
    first = do(ppc, "clock")
    for _ in range(10):
        do(ppc, "time", 0)
    assert do(ppc, "clock") > first
    place = ppc.memory.new_pointer(4)
    assert do(ppc, "time", place) == ppc.guest.u32(place) == ppc.clock.seconds()


def test_a_format_cannot_ask_for_text_without_end() -> None:
    with pytest.raises(FormatError, match="1,048,576"):
        format_text(MAC.guest, b"%4096d" * 300, lambda: 0)


@pytest.mark.parametrize("letter", [b"\xb2", b"\xff", b"\xb9"])
def test_letters_and_digits_beyond_ascii_are_no_digits(ppc: Macintosh, letter: bytes) -> None:
    text = put(ppc, ppc.memory.new_pointer(16), b"12" + letter)
    assert do(ppc, "atoi", text) == 12
    assert do(ppc, "strtol", text, 0, 36) == 38


def test_what_is_written_to_the_standard_streams_comes_to_the_console(ppc: Macintosh) -> None:
    streams = streams_of(ppc)
    standard_input, standard_output, errors, fourth = (streams + 24 * n for n in range(4))
    text = put(ppc, ppc.memory.new_pointer(8), b"one")
    console = ppc.host.outputs.console
    assert do(ppc, "fputs", text, standard_output) == 0
    assert do(ppc, "putc", ord("-"), errors) == do(ppc, "_flsbuf", ord("-"), errors) == ord("-")
    assert do(ppc, "fwrite", text, 1, 3, errors) == 3
    assert do(ppc, "fwrite", text, 0, 3, errors) == 3
    assert do(ppc, "fflush", standard_output) == 0
    assert bytes(console) == b"one--one"
    for stream in (standard_input, fourth, standard_output + 1, 0):
        assert do(ppc, "fputs", text, stream) == do(ppc, "fputc", 65, stream) == -1
        assert do(ppc, "fwrite", text, 1, 3, stream) == 0
    assert bytes(console) == b"one--one"
    assert do(ppc, "getc", standard_input) == do(ppc, "_filbuf", standard_input) == -1


def test_formatted_text_goes_to_a_stream(ppc: Macintosh) -> None:
    assert isinstance(ppc.dispatcher, PowerPcDispatcher)
    stub = ppc.guest.u32(ppc.dispatcher.import_address("fprintf"))
    streams = streams_of(ppc)
    format_ = put(ppc, ppc.memory.new_pointer(16), b"%d %x\n")
    for stream, count in ((streams + 24, 6), (streams, 0xFFFFFFFF)):
        registers = run_code(
            ppc, "7d8903a6 4e800420", r12=stub, r3=stream, r4=format_, r5=-7 & 0xFFFFFFFF, r6=255
        )
        assert registers["r3"] == count
    assert bytes(ppc.host.outputs.console) == b"-7 ff\n"
    arguments = ppc.memory.new_pointer(8)
    ppc.guest.write(arguments, struct.pack(">2l", 12, 10))
    assert do(ppc, "vfprintf", streams + 48, format_, arguments) == 5
    assert bytes(ppc.host.outputs.console) == b"-7 ff\n12 a\n"


def test_variables_say_where_the_streams_end_and_what_a_float_can_hold(ppc: Macintosh) -> None:
    fragments = ppc.managers["fragments"]
    assert isinstance(fragments, Fragments)

    def value(name: str) -> bytes:
        return ppc.guest.read(fragments.variable(name), 4)

    end = streams_of(ppc) + 40 * STREAM_SIZE
    assert int.from_bytes(value("_lastbuf"), "big") == end
    assert struct.unpack(">f", value("_FLT_MAX"))[0] == np.finfo(np.float32).max
    assert struct.unpack(">f", value("_FLT_EPSILON"))[0] == np.finfo(np.float32).eps
    assert struct.unpack(">f", value("_FLT_MIN"))[0] == np.finfo(np.float32).tiny
    assert ppc.guest.u32(int.from_bytes(value("environ"), "big")) == 0
    assert (do(ppc, "getenv", A), do(ppc, "signal", 2, 0)) == (0, 1)


def test_nothing_can_be_read_from_the_streams(ppc: Macintosh) -> None:
    stream, room = streams_of(ppc), ppc.memory.new_pointer(8, clear=True)
    assert do(ppc, "fgets", room, 8, stream) == do(ppc, "fread", room, 1, 8, stream) == 0
    assert do(ppc, "fseek", stream, 0, 0) == do(ppc, "ftell", stream) == -1
    assert ppc.guest.read(room, 8) == bytes(8)
