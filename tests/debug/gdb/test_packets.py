"""Packets as they come and go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.debug.gdb.connection import Connection
from emu.debug.gdb.packets import LARGEST, Packet, PacketReader, Sign, encoded
from emu.debug.gdb.session import DebuggerSession
from emu.debug.symbols.program_symbols import ProgramSymbols
from tests.debug.gdb.fake_timeline import CountingTimeline
from tests.debug.gdb.test_session import expanded, sent


def read(data: bytes) -> list[Packet | Sign]:
    return PacketReader().feed(data)


@given(st.binary(max_size=300))
def test_what_is_sent_comes(data: bytes) -> None:
    assert read(sent(data)) == [Packet(data)]


@given(st.binary(max_size=3), st.integers(1, 400))
def test_runs_say_the_same(start: bytes, count: int) -> None:
    data = start + b"0" * count + start
    packet = encoded(data)
    assert b"#" not in packet[1:-3]
    assert b"$" not in packet[1:]
    (event,) = read(packet)
    assert isinstance(event, Packet)
    if b"*" not in data:
        assert expanded(event.data) == data
    assert count < 8 or len(packet) < 20 + 2 * len(data) - count


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_any_bytes_leave_the_reader_in_order(pieces: list[bytes]) -> None:
    """After whatever came, a whole packet is read."""
    reader = PacketReader()
    for piece in pieces:
        reader.feed(piece)
    reader.feed(b"$#zz")
    assert reader.feed(sent(b"qC"))[-1] == Packet(b"qC")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"+-\x03x", [Sign.ACKNOWLEDGED, Sign.REFUSED, Sign.INTERRUPT]),
        (b"$qC#b4", [Packet(b"qC")]),
        (b"$qC#B4", [Packet(b"qC")]),
        (b"$qC#b5", [Sign.DAMAGED]),
        (b"$qC#+4", [Sign.DAMAGED]),
        (b"$qC$qC#b4", [Packet(b"qC")]),
        (b"$qC\x03#b7", [Packet(b"qC\x03")]),
        (b"$a}#de", [Packet(b"a")]),
        (b"$" + b"a" * (LARGEST + 1) + b"#00", [Sign.DAMAGED]),
        (b"$" + b"a" * (1 << 20) + b"#00$qC#b4", [Sign.DAMAGED, Packet(b"qC")]),
    ],
)
def test_packets_and_signs(data: bytes, expected: list[Packet | Sign]) -> None:
    assert read(data) == expected


class SilentConnection(Connection):
    """A connection to nobody."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def wants_stop(self) -> bool:
        return True


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> ProgramSymbols:
    return ProgramSymbols(CountingTimeline(), tmp_path_factory.mktemp("symbols"))


_STARTS = (
    b"g G p P m M X Z0, Z2, z0, z2, c s C05 S05 vCont; vCont;r bc bs H qXfer: qRcmd, q Q v ? k D T "
    b"qXfer:features:read:target.xml: qXfer:libraries:read:: qXfer:memory-map:read:: R vRun; ! "
).split()


@given(st.sampled_from(_STARTS), st.text("0123456789abcdef,;:=*r#cs-", max_size=24) | st.text())
def test_no_packet_ends_the_session(symbols: ProgramSymbols, start: bytes, rest: str) -> None:
    """Each packet has an answer that fits into a packet."""
    timeline = CountingTimeline()
    session = DebuggerSession(timeline, symbols, SilentConnection())
    for packet in (start + rest.encode("utf-8", "surrogatepass"), rest.encode("utf-8", "replace")):
        answer = session.answer(packet)
        assert len(answer) <= LARGEST
