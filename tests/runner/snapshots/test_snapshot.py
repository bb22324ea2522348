"""A snapshot of a running Macintosh goes on as the original does."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from emu.base.errors import GuestError, InternalError
from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.runner.snapshots.channel import Channel, ChannelClosedError
from emu.runner.snapshots.session_process import SessionFailure, start_session
from emu.runner.snapshots.snapshot import NewSnapshot, Snapshot, can_fork, keep_snapshot
from emu.toolbox.computer.settings import Settings
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.patient_user import PatientUser
from tests.conftest import ROOT

needs_fork = pytest.mark.skipif(not can_fork(), reason="snapshots need a system that forks")
_EVERY = 7
_PROGRAMS = [ROOT / "mac_src/prebuilt/mac" / cpu / "Four Shifts.bin" for cpu in ("68000", "601")]


@dataclass(frozen=True, slots=True)
class _Ended:
    """What a run left: digests of log and screen, calls, and its process."""

    log: str
    screen: str
    looks: int
    process: int


class _KeepingUser:
    """Keeps a snapshot every few looks."""

    def __init__(self, mac: Macintosh, channel: Channel) -> None:
        self._mac, self.channel = mac, channel
        self._user = PatientUser(mac)
        self.looks = 0

    def act(self) -> bool:
        self.looks += 1
        if self.looks % _EVERY == 0:
            self.channel = keep_snapshot(self._mac, self.channel, self.looks)
        return self._user.act()


def _play(channel: Channel, program: Path) -> None:
    mac = load(program, None, settings=Settings(keep_log=True))
    user = mac.events.user = _KeepingUser(mac, channel)
    mac.run()
    assert mac.log is not None
    log = "\n".join(map(str, mac.log.calls)).encode()
    screen = mac.windows.screen_picture()
    user.channel.send(_Ended(_digest(log), _digest(screen), user.looks, os.getpid()))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hear(channel: Channel) -> tuple[list[Snapshot], _Ended]:
    """All that a session or a copy of it says, to its end."""
    kept: list[Snapshot] = []
    while True:
        message, sock = channel.receive_with_socket()
        if isinstance(message, _Ended):
            return kept, message
        assert isinstance(message, NewSnapshot), message
        assert sock is not None
        kept.append(Snapshot.received(message, sock))


@needs_fork
@pytest.mark.parametrize("program", _PROGRAMS, ids=["68000", "601"])
def test_each_snapshot_goes_on_as_the_original_did(program: Path) -> None:
    session = start_session(_play, program)
    snapshots, ended = _hear(session.channel)
    assert [snapshot.moment for snapshot in snapshots] == list(range(7, ended.looks + 1, 7))
    assert len(snapshots) >= 3
    for snapshot in (snapshots[-1], snapshots[0], snapshots[1], snapshots[0]):
        later, again = _hear(snapshot.wake())
        assert (again.log, again.screen, again.looks) == (ended.log, ended.screen, ended.looks)
        assert again.process != ended.process
        assert len(later) == len(snapshots) - snapshots.index(snapshot) - 1
        for other in later:
            other.close()
    session.end()
    for snapshot in snapshots:
        snapshot.close()


def _keep_and_hang(channel: Channel, program: Path) -> None:
    mac = load(program, None, settings=Settings())
    channel = keep_snapshot(mac, channel, os.getpid())
    channel.send(os.getpid())
    while True:
        time.sleep(0.01)


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _wait_for_the_end(process: int) -> None:
    ends = time.monotonic() + 60
    while _is_alive(process):
        assert time.monotonic() < ends, f"process {process} was left behind"
        time.sleep(0.02)


@needs_fork
def test_snapshots_end_with_their_handles_and_woken_copies_with_the_controller() -> None:
    session = start_session(_keep_and_hang, _PROGRAMS[0])
    message, sock = session.channel.receive_with_socket()
    assert isinstance(message, NewSnapshot)
    assert sock is not None
    snapshot = Snapshot.received(message, sock)
    original = session.channel.receive()
    woken = snapshot.wake()
    copy = woken.receive()
    assert copy != original
    snapshot.close()
    with pytest.raises(ChannelClosedError):
        snapshot.wake()
    os.kill(copy, signal.SIGKILL)
    with pytest.raises(ChannelClosedError):
        woken.receive()
    session.end()
    _wait_for_the_end(original)


def _control(channel: Channel, program: Path) -> None:
    session = start_session(_keep_and_hang, program)
    message, sock = session.channel.receive_with_socket()
    assert sock is not None
    woken = Snapshot.received(message, sock).wake()
    channel.send((session.channel.receive(), woken.receive()))
    time.sleep(600)


@needs_fork
def test_nothing_is_left_when_the_controller_is_killed() -> None:
    import multiprocessing

    here, there = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    controller = context.Process(target=_control, args=(there, _PROGRAMS[0]))
    controller.start()
    there.close()  # so that nobody waits for one that has failed
    processes = here.recv()
    assert all(map(_is_alive, processes))
    controller.kill()
    controller.join()
    for process in processes:
        _wait_for_the_end(process)


def _fail(channel: Channel, error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("error", "kind"), [(GuestError("no"), GuestError), (ValueError("no"), InternalError)]
)
def test_an_error_of_a_session_is_its_last_message(error: Exception, kind: type) -> None:
    session = start_session(_fail, error)
    message = session.channel.receive()
    assert isinstance(message, SessionFailure)
    assert isinstance(message.error, kind)
    assert "no" in str(message.error)
    with pytest.raises(ChannelClosedError):
        session.channel.receive()
    assert session.ending() == "exit code 0"


def test_guest_memory_is_private_to_a_process() -> None:
    if not can_fork():
        pytest.skip("this system does not fork processes with an engine")
    memory = GuestMemory([MemoryRegion("data", 0x1000, 0x1000, True, False)])
    child = os.fork()
    if not child:
        memory.write(0x1000, b"changed")
        os._exit(0)
    os.waitpid(child, 0)
    assert memory.view(0x1000, 7).tobytes() == bytes(7)
