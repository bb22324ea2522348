"""Every fault of the engines that docs/engine-faults.md reports is there, and what macproof does.

Where a test of an engine as it is fails with a newer version, the fault has been mended there: its
row and what macproof does about it can go.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import unicorn

from emu.engines.qemu_user import qemu_version
from tests.engines.faults import bare
from tests.engines.faults.engines import ENDS, NO_RETURN, QEMU, macproof, process, qemu
from tests.engines.faults.fault import EngineFault, InterfaceFault, Remedy
from tests.engines.faults.interface_faults import INTERFACE_FAULTS
from tests.engines.faults.table import FAULTS
from tests.engines.faults.table import QEMU as QEMU_VERSION
from tests.generated_pages import docs_module

ALL = tuple(fault for faults in FAULTS.values() for fault in faults)
IN_PROCESS = tuple(fault for fault in ALL if fault.unicorn not in (ENDS, NO_RETURN))
HARMFUL = tuple(fault for fault in ALL if fault.unicorn in (ENDS, NO_RETURN))
RIGHT = EngineFault(
    "MOVEQ loads a constant", "68040", "7001", "MOVEQ #1,D0", "", "d0=00000001",
    "d0=00000001", "d0=00000001", "M68000PM/AD, MOVEQ", Remedy.OPEN,
)  # fmt: skip


def title(fault: EngineFault | InterfaceFault) -> str:
    return fault.title


def mended(fault: EngineFault, engine: str, found: str) -> str:
    """A message for whoever sees that an engine no longer has a fault."""
    return f"{engine} now leaves {found!r}; is it mended? {fault.cpu} {fault.assembly}"


@pytest.mark.parametrize("fault", IN_PROCESS, ids=title)
def test_unicorn_as_it_is_has_the_fault(fault: EngineFault) -> None:
    found = bare.run(fault.cpu, bytes.fromhex(fault.code), fault.values)
    assert found == fault.unicorn, mended(fault, f"unicorn {unicorn.__version__}", found)
    assert found != fault.processor


@pytest.mark.slow
@pytest.mark.parametrize("fault", HARMFUL, ids=title)
def test_unicorn_as_it_is_comes_to_harm(fault: EngineFault) -> None:
    if fault.remedy is Remedy.APART and platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("the host's own division only traps on x86")
    returns = fault.unicorn != NO_RETURN
    found = process(fault.cpu, bytes.fromhex(fault.code), fault.values, returns=returns)
    assert found == fault.unicorn, mended(fault, f"unicorn {unicorn.__version__}", found)


def unseen(fault: EngineFault) -> str:
    """What the engine makes of it in a program that does not read the status of results."""
    return macproof(fault.cpu, bytes.fromhex(fault.code), fault.values, sees_status=False)


def without_status(changes: str) -> list[str]:
    return [word for word in changes.split() if not word.startswith(("fpsr=", "fpscr="))]


@pytest.mark.parametrize(
    "fault", [fault for fault in ALL if fault.remedy is not Remedy.APART], ids=title
)
def test_macproof_does_what_the_report_says(fault: EngineFault) -> None:
    found = macproof(fault.cpu, bytes.fromhex(fault.code), fault.values)
    match fault.remedy:
        case Remedy.MENDED:
            assert found == fault.processor
        case Remedy.SEEN | Remedy.SEEN_REFUSED:
            is_mended = fault.remedy is Remedy.SEEN
            assert found == fault.processor if is_mended else found.startswith("refused: ")
            assert without_status(unseen(fault)) == without_status(fault.unicorn)
        case Remedy.NOTICED:
            assert without_status(unseen(fault)) == without_status(fault.unicorn)
        case Remedy.REFUSED:
            assert found.startswith("refused: ")
        case Remedy.OPEN | Remedy.CHECKED:
            assert found == fault.unicorn, "it is mended: the report says otherwise"


@pytest.mark.parametrize("fault", ALL, ids=title)
def test_qemu_does_what_the_report_says(fault: EngineFault, tmp_path: Path) -> None:
    command = QEMU[fault.cpu][0]
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    version = qemu_version(command)
    if not version.startswith(QEMU_VERSION):
        pytest.skip(f"the reports are about QEMU {QEMU_VERSION}, and this is {version}")
    if fault.by_qemu == "SIGFPE" and platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("the host's own division only traps on x86")
    found = qemu(fault.cpu, bytes.fromhex(fault.code), fault.values, tmp_path)
    assert found == fault.by_qemu, mended(fault, f"QEMU {version}", found)


@pytest.mark.parametrize("fault", INTERFACE_FAULTS, ids=title)
def test_the_interface_has_the_fault(fault: InterfaceFault) -> None:
    done = subprocess.run(
        [sys.executable, "-c", fault.script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == fault.prints
    assert fault.prints != fault.expected


def test_an_instruction_that_is_right_is_no_fault() -> None:
    """The comparison of the tests above tells right from wrong, on each engine."""
    code, values = bytes.fromhex(RIGHT.code), RIGHT.values
    assert bare.run("68040", code, values) == RIGHT.processor
    assert macproof("68040", code, values) == RIGHT.processor
    with pytest.raises(AssertionError, match="is it mended"):
        test_unicorn_as_it_is_has_the_fault(replace(RIGHT, unicorn="d0=00000002"))
    with pytest.raises(AssertionError, match="the report says otherwise"):
        test_macproof_does_what_the_report_says(replace(RIGHT, unicorn="d0=00000002"))


def test_the_program_of_the_page_prints_what_the_page_says() -> None:
    page = docs_module("engine_faults_page")
    fault = ALL[0]
    command = page.command(fault).split()[1:]
    done = subprocess.run(
        [sys.executable, str(Path(bare.__file__).parent / command[0]), *command[1:]],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == fault.unicorn
