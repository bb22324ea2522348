"""Processes in a sandbox: what they can do, and everything else that they cannot."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from emu.base.sandbox import seccomp
from emu.base.sandbox.command import Folders, ProcessLimits, sandboxed
from emu.base.sandbox.door import Door, NoDoorError

_has_filters = sys.platform == "linux" and os.uname().machine in ("x86_64", "aarch64")
linux = pytest.mark.skipif(not _has_filters, reason="only Linux has such filters")

# What runs behind the door. It says that it is ready, and tries things when it is told to.
_BEHIND = """
import ctypes, errno, json, mmap, os, sys
system = ctypes.CDLL(None, use_errno=True)
system.syscall.restype = ctypes.c_long
def ask(number, *arguments):
    ctypes.set_errno(0)
    found = system.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return "" if found >= 0 else errno.errorcode[ctypes.get_errno()]
os.write(1, b"+")
os.read(0, 1)
found = {}
%s
os.write(1, json.dumps(found).encode())
os._exit(0)
"""


def _behind_the_door(code: str) -> tuple[dict[str, str], int]:
    """What code finds when the door is shut, and how its process ended."""
    door = Door()
    command = sandboxed([sys.executable, "-c", _BEHIND % code], ProcessLimits(), socket=door.socket)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[door.socket]
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert door.keep_open(process.stdout.fileno(), 60)
        except NoDoorError as error:  # as in a container that has a listener already
            pytest.skip(str(error))
        assert os.read(process.stdout.fileno(), 1) == b"+"
        said, _ = process.communicate(b"+", timeout=60)
    return (json.loads(said) if said else {}), process.returncode


@linux
def test_no_other_system_call_exists_behind_the_door() -> None:
    """Every number of today and of years to come, also in the x32 way, but for those listed."""
    numbers = set(range(700)) | {0x40000000 + number for number in range(700)}
    if os.uname().machine == "x86_64":
        numbers -= {335, 336}  # uretprobe and uprobe: no filter sees them, and they end a process
    allowed = set(seccomp._COMPUTES[os.uname().machine].values())
    assert len(allowed) < 35
    code = f"for n in {sorted(numbers - allowed)}: found[n] = ask(n, 0, 0, 0, 0, 0, 0)"
    found, status = _behind_the_door(code)
    assert status == 0
    assert len(found) == len(numbers) - len(allowed)
    assert set(found.values()) == {"ENOSYS"}


@linux
def test_calls_that_depend_on_their_arguments() -> None:
    numbers = seccomp._COMPUTES[os.uname().machine]
    kill, tgkill, mapping, send = (numbers[one] for one in ("kill", "tgkill", "mmap", "sendmsg"))
    anonymous, either = 0x20, 3
    found, _ = _behind_the_door(
        f"me, parent = os.getpid(), {os.getpid()}\n"
        f"found['itself'] = ask({kill}, me, 0)\n"
        f"found['parent'] = ask({kill}, parent, 0)\n"
        f"found['all'] = ask({kill}, -1, 0)\n"
        f"found['its group'] = ask({kill}, 0, 0)\n"
        f"found['a thread'] = ask({tgkill}, parent, parent, 0)\n"
        f"found['private'] = ask({mapping}, 0, 4096, {either}, {anonymous | 2}, -1, 0)\n"
        f"found['shared'] = ask({mapping}, 0, 4096, {either}, {anonymous | 1}, -1, 0)\n"
        f"found['validated'] = ask({mapping}, 0, 4096, {either}, {anonymous | 3}, -1, 0)\n"
        f"found['a message'] = ask({send}, 1, 0, 0)\n"
    )
    fine = {one for one, answer in found.items() if answer != "ENOSYS"}
    assert fine == {"itself", "private"}


@linux
@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="is of x86")
def test_the_old_way_to_call_the_kernel_ends_the_process() -> None:
    """On x86-64, ``int 0x80`` calls it as an i386 does, with other numbers."""
    code = (
        "page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)\n"
        "page.write(bytes.fromhex('b814000000cd80c3'))\n"
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()\n"
    )
    _, status = _behind_the_door(code)
    assert status == -31  # SIGSYS


@linux
def test_before_the_door_is_shut_a_program_can_start() -> None:
    """Else the test above would show nothing: Python itself has opened its files."""
    found, _ = _behind_the_door("found['ready'] = 'yes'")
    assert found == {"ready": "yes"}


@linux
def test_a_process_without_a_filter_is_told() -> None:
    door = Door()
    with (
        subprocess.Popen(["true"], stdout=subprocess.PIPE) as process,
        pytest.raises(NoDoorError, match="it ended before it had any"),
    ):
        assert process.stdout is not None
        door.keep_open(process.stdout.fileno(), 60)


_ALL = Folders((), ())


def _run(code: str, limits: ProcessLimits, folders: Folders = _ALL) -> tuple[str, int]:
    command = sandboxed([sys.executable, "-c", code], limits, folders=folders)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.strip() or done.stderr.strip().rpartition("\n")[2], done.returncode


@linux
def test_limits_hold() -> None:
    assert _run("bytearray(1 << 29)", ProcessLimits(memory=256 << 20)) == ("MemoryError", 1)
    assert _run("print(len(bytearray(1 << 29)))", ProcessLimits()) == (str(1 << 29), 0)
    assert _run("while True: pass", ProcessLimits(seconds=1))[1] < 0
    size = "import tempfile, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    size += "with tempfile.TemporaryFile() as file: file.write(bytes(1 << 20)); file.flush()"
    said, code = _run(size, ProcessLimits(file=1 << 16))
    assert ("File too large" in said, code) == (True, 1)


@linux
def test_there_is_no_network() -> None:
    code = "import socket; socket.create_connection(('127.0.0.1', {}))"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        said, status = _run(code.format(port), ProcessLimits())
    assert ("Permission denied" in said, status) == (True, 1)


@linux
def test_other_files_are_hidden(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    (other / "secret").write_text("secret")
    seen = ("/usr", "/lib", "/lib64", "/bin", sys.prefix, sys.base_prefix)
    folders = Folders(seen, (str(own),))
    code = f"print(open({str(other / 'secret')!r}).read())"
    if _run(code, ProcessLimits(), folders) == ("secret", 0):
        pytest.skip("this kernel has no Landlock")
    assert "Permission denied" in _run(code, ProcessLimits(), folders)[0]
    assert (
        "Permission denied"
        in _run(f"open({str(other / 'new')!r}, 'w')", ProcessLimits(), folders)[0]
    )
    inside = f"open({str(own / 'new')!r}, 'w').write('x'); print('done')"
    assert _run(inside, ProcessLimits(), folders) == ("done", 0)
    assert _run(code, ProcessLimits()) == ("secret", 0)


def test_a_missing_command_is_told() -> None:
    command = sandboxed(["no-such-command"], ProcessLimits())
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Where a folder of PATH may not be read, the system says so instead of "No such file".
    assert done.returncode == 127 and done.stderr.startswith("no-such-command: ")
