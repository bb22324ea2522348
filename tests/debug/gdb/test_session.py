"""The answers to GDB's packets, over a real connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.debug.gdb.connection import ClientGoneError, Connection
from emu.debug.gdb.packets import LARGEST, Packet, PacketReader, Sign
from emu.debug.gdb.server import DebugServer
from emu.debug.symbols.elf_sections import read_outline
from emu.debug.symbols.loadable_file import FileSection, LoadableFile
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.symbols.symbol_elf import CodeSection, NamedRoutine, symbol_elf
from emu.debug.symbols.unloaded_code import UNLOADED
from tests.debug.gdb.fake_timeline import COUNTER, LOADS, START, TRAP, CountingTimeline


class Client:
    """A debugger that sends what it is told to."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.reader = PacketReader()
        self.events: list[Packet | Sign] = []
        self.output = b""

    def raw(self, data: bytes) -> None:
        self.socket.sendall(data)

    def event(self) -> Packet | Sign:
        while not self.events:
            data = self.socket.recv(1 << 16)
            if not data:
                raise EOFError
            self.events += self.reader.feed(data)
        return self.events.pop(0)

    def answer(self) -> bytes:
        """The next packet; output of the program is kept apart."""
        while True:
            event = self.event()
            if not isinstance(event, Packet):
                continue
            data = expanded(event.data)
            if data.startswith(b"O") and data != b"OK":
                self.output += bytes.fromhex(data[1:].decode())
                continue
            return data

    def ask(self, data: bytes) -> bytes:
        self.raw(sent(data))
        return self.answer()


def sent(data: bytes) -> bytes:
    """A packet as GDB sends it: with escapes, without runs."""
    for byte in b"}$#*":
        data = data.replace(bytes([byte]), bytes([0x7D, byte ^ 0x20]))
    return b"$" + data + b"#%02x" % (sum(data) & 0xFF)


def expanded(data: bytes) -> bytes:
    """Data with runs written out."""
    plain = bytearray()
    at = 0
    while at < len(data):
        if data[at] == ord("*"):
            plain += plain[-1:] * (data[at + 1] - 29)
            at += 2
        else:
            plain.append(data[at])
            at += 1
    return bytes(plain)


class Served:
    """A server for a timeline, in a thread."""

    def __init__(self, folder: Path, timeline: CountingTimeline, keeps: bool = False) -> None:
        self.timeline = timeline
        self.over = False
        places = ("CODE 1", 0x100), ("CODE 2", 0x200)
        named = [
            CodeSection(name, place, 0x40, (NamedRoutine(f"In{place:x}", place + 4),))
            for name, place in places
        ]
        sections = tuple(
            FileSection(name, place, 0x40, name, 0, True, bytes(range(64)))
            for name, place in places
        )
        image = symbol_elf("m68k", named)
        file = LoadableFile(Path("names.elf"), sections, {"In204": 0x204}, image)
        self.symbols = ProgramSymbols(timeline, folder, [file])
        self.server = DebugServer(0)
        self.thread = threading.Thread(
            target=self.server.serve,
            args=(timeline, self.symbols),
            kwargs={"keeps": keeps, "is_over": lambda: self.over},
            daemon=True,
        )
        self.thread.start()
        self.client = Client(self.server.port)

    def end(self) -> None:
        self.over = True
        self.client.socket.close()
        self.thread.join(10)
        self.server.close()
        assert not self.thread.is_alive()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    one = Served(tmp_path, CountingTimeline())
    yield one
    one.end()


def test_what_is_supported(served: Served) -> None:
    answer = served.client.ask(b"qSupported:swbreak+")
    assert b"ReverseContinue+" in answer
    assert b"PacketSize=%x" % LARGEST in answer


def test_registers(served: Served) -> None:
    served.timeline.others["d3"] = 0xDEADBEEF
    everything = bytes.fromhex(served.client.ask(b"g").decode())
    assert len(everything) == 18 * 4
    assert everything[12:16] == bytes.fromhex("deadbeef")
    assert served.client.ask(b"p11") == b"%08x" % START
    assert served.client.ask(b"p99").startswith(b"E")
    assert served.client.ask(b"P3=00000007") == b"OK"
    assert served.timeline.others["d3"] == 7
    changed = everything[:16] + bytes.fromhex("00000011") + everything[20:]
    changed = changed[:12] + bytes.fromhex("00000007") + changed[16:]
    assert served.client.ask(b"G" + changed.hex().encode()) == b"OK"
    assert served.timeline.others == {"d3": 7, "d4": 0x11}
    assert served.client.ask(b"G00").startswith(b"E")


def test_memory(served: Served) -> None:
    assert served.client.ask(b"M2100,3:010203") == b"OK"
    assert served.client.ask(b"X2103,3:\x00}\x05") == b"OK"
    assert served.client.ask(b"m2100,6") == b"010203007d05"
    assert served.client.ask(b"mffff0000,4").startswith(b"E")
    assert served.client.ask(b"m2fff,10") == b"00"
    assert served.client.ask(b"M2fff,2:0000").startswith(b"E")


def test_code_of_a_segment_that_is_not_loaded_can_be_read(served: Served) -> None:
    assert served.client.ask(b"m%x,2" % (UNLOADED + 0x202)) == b"0203"
    assert b'start="0xc0000000"' in served.client.ask(b"qXfer:memory-map:read::0,1000")


def test_breakpoint_and_back(served: Served) -> None:
    client = served.client
    assert client.ask(b"Z0,%x,2" % (START + 8)) == b"OK"
    assert client.ask(b"vCont;c:1").startswith(b"T05swbreak:;thread:1;")
    assert client.ask(b"p11") == b"%08x" % (START + 8)
    assert client.ask(b"bs").startswith(b"T05thread:1;")
    assert client.ask(b"p11") == b"%08x" % (START + 6)
    assert client.ask(b"bc").startswith(b"T05replaylog:begin;")
    assert client.ask(b"z0,%x,2" % (START + 8)) == b"OK"
    assert served.timeline.points.breakpoints == frozenset()


@pytest.mark.parametrize(("kind", "word"), [(2, b"watch"), (3, b"rwatch"), (4, b"awatch")])
def test_watchpoint(served: Served, kind: int, word: bytes) -> None:
    client = served.client
    assert client.ask(b"Z%d,%x,1" % (kind, COUNTER)) == b"OK"
    assert client.ask(b"c").startswith(b"T05%s:%x;" % (word, COUNTER))
    assert client.ask(b"Z%d,ff000000,1" % kind).startswith(b"E")
    assert client.ask(b"Z5,%x,1" % COUNTER) == b""
    assert client.ask(b"z%d,%x,1" % (kind, COUNTER)) == b"OK"
    assert served.timeline.points.watchpoints == ()


def test_loaded_segments_are_told(served: Served) -> None:
    """The call of LoadSeg is passed, and GDB reads the list of files again."""
    client = served.client
    before = client.ask(b"qXfer:libraries:read::0,1000")
    assert client.ask(b"c").startswith(b"T05library:;")
    assert served.timeline.stop.pc == LOADS + 2
    after = client.ask(b"qXfer:libraries:read::0,1000")
    names = [text.split(b'name="')[1].split(b'"')[0].decode() for text in (before, after)]
    assert read_outline(Path(names[0])).routines["In200"] == UNLOADED + 0x204
    assert read_outline(Path(names[1])).routines["In200"] == 0x3004
    assert client.ask(b"c").startswith(b"T05replaylog:end;")
    assert client.ask(b"bc").startswith(b"T05library:;")
    assert served.timeline.stop.pc == LOADS


def test_step_in_a_range(served: Served) -> None:
    assert served.client.ask(b"vCont;r%x,%x:1" % (START, START + 6)).startswith(b"T05thread")
    assert served.timeline.stop.pc == START + 6


def test_end_and_after_it(served: Served) -> None:
    client = served.client
    client.ask(b"c")
    client.ask(b"qXfer:libraries:read::0,1000")
    assert client.ask(b"c").startswith(b"T05replaylog:end;")
    assert b"it has ended with status 3" in client.output
    assert client.ask(b"c") == b"W03"


def test_toolbox_call_is_told_with_its_arguments(served: Served) -> None:
    client = served.client
    assert client.ask(b"qRcmd," + b"break DrawString".hex().encode()) == b"OK"
    assert b"stops before calls of DrawString" in client.output
    client.ask(b"c")
    client.ask(b"qXfer:libraries:read::0,1000")
    assert client.ask(b"c").startswith(b"T00thread")
    assert served.timeline.stop.pc == TRAP
    assert b'Toolbox call: DrawString ("Hello")' in client.output
    client.ask(b"qRcmd," + b"break DrawStrung".hex().encode())
    assert b"DrawStrung; did you mean DrawString?" in client.output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("help", "stop before each call"),
        ("finding", "stops at the next finding"),
        ("time", "0 instructions"),
        ("where", "Count"),
        ("symbols", "add-symbol-file"),
        ("windows", "the session was asked windows"),
        ("break LoadSeg", "before calls of LoadSeg"),
    ],
)
def test_monitor(served: Served, words: str, expected: str) -> None:
    assert served.client.ask(b"qRcmd," + words.encode().hex().encode()) == b"OK"
    assert expected in served.client.output.decode()


def test_load_seg_can_be_asked_for(served: Served) -> None:
    served.client.ask(b"qRcmd," + b"break LoadSeg".hex().encode())
    assert served.client.ask(b"c").startswith(b"T00thread")
    assert served.timeline.stop.pc == LOADS


def test_interrupt(served: Served) -> None:
    served.timeline.endless = True
    served.client.raw(sent(b"vCont;c:1"))
    assert served.client.event() is Sign.ACKNOWLEDGED
    served.client.raw(b"\x03")
    assert served.client.answer().startswith(b"T02")


def test_client_that_goes_away_ends_a_run(served: Served) -> None:
    served.timeline.endless = True
    served.client.raw(sent(b"c"))
    served.client.socket.close()
    served.thread.join(5)
    assert not served.thread.is_alive()


def test_the_next_client_may_come_before_the_last_one_is_missed() -> None:
    """Both are seen at once: one has gone, and another one is there."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        gone = socket.create_connection(listener.getsockname())
        connection = Connection(listener, listener.accept()[0])
        gone.close()
        with socket.create_connection(listener.getsockname()) as following:
            with pytest.raises(ClientGoneError):
                connection.next_packet()
            accepted = listener.accept()[0]
            assert accepted.getpeername() == following.getsockname()
            accepted.close()
        connection.close()


def test_second_client_is_refused_in_words(served: Served) -> None:
    second = Client(served.server.port)
    second.raw(sent(b"qSupported"))
    assert b"another debugger is connected" in second.answer()
    with pytest.raises(EOFError):
        second.answer()
    second.socket.close()
    assert served.client.ask(b"qC") == b"QC1"


def test_wrong_sum_is_refused_and_sent_again(served: Served) -> None:
    served.client.raw(b"$qC#00")
    assert served.client.event() is Sign.REFUSED
    assert served.client.ask(b"qC") == b"QC1"
    served.client.raw(b"-")
    assert served.client.answer() == b"QC1"


def test_no_acknowledgements(served: Served) -> None:
    assert served.client.ask(b"QStartNoAckMode") == b"OK"
    served.client.events.clear()
    served.client.raw(sent(b"qC"))
    assert served.client.event() == Packet(b"QC1")


def test_kept_program_serves_the_next_debugger(tmp_path: Path) -> None:
    served = Served(tmp_path, CountingTimeline(), keeps=True)
    served.client.ask(b"Z0,%x,2" % (START + 8))
    served.client.ask(b"c")
    assert served.client.ask(b"D") == b"OK"
    served.client.socket.close()
    served.client = Client(served.server.port)
    assert served.client.ask(b"p11") == b"%08x" % (START + 8)
    assert served.timeline.points.breakpoints == frozenset()
    served.end()


def test_floating_point(tmp_path: Path) -> None:
    served = Served(tmp_path, CountingTimeline("68040"))
    served.timeline.others["fp1"] = 0x3FFF_0000_8000_0000_0000_0000
    assert served.client.ask(b"p13") == b"3fff00008000000000000000"
    assert b"coldfire.fp" in served.client.ask(b"qXfer:features:read:target.xml:0,4000")
    served.end()


def test_port_that_is_taken() -> None:
    server = DebugServer(0)
    with pytest.raises(UsageError, match=f"port {server.port} cannot be used"):
        DebugServer(server.port)
    server.close()
