"""Drivers, processes, notifications, folders, tasks, low memory by calls, and the machine."""

from __future__ import annotations

import pytest

from emu.base.errors import GuestError
from emu.machine.cpu import CPUS
from emu.quickdraw import bytes_in_row
from emu.toolbox.computer.clock import CallClock
from emu.toolbox.computer.macintosh_models import MACHINES
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError, Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import ROM_START, LowMemory, ProgramSection, plan
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.processes.processes import LaunchParamBlock
from emu.toolbox.records.files import FCB, VCB, DrvQEl, FSSpec, IOParam
from emu.toolbox.records.system import (
    NMRec,
    ProcessInfoRec,
    ProcessSerialNumber,
    QHdr,
    SysEnvRec,
    VBLTask,
)
from tests.toolbox.conftest import STACK, do, make_mac, run_at, run_code

NO_UNIT, NOT_FOUND, NO_SUCH_PROCESS, QUEUE_ERROR = -21, -43, -600, -1


def string(mac: Macintosh, raw: bytes) -> int:
    place = mac.memory.new_pointer(256, clear=True)
    mac.guest.put_pascal_string(place, raw)
    return place


def task_code(mac: Macintosh, counter: int) -> int:
    """A procedure that adds 1 to a long word."""
    if mac.cpu.architecture == "m68k":
        code = bytes.fromhex(f"52b9{counter:08x} 4e75")  # addq.l #1,counter; rts
        place = mac.memory.new_pointer(len(code))
        mac.guest.write(place, code)
        return place
    high, low = (counter + 0x8000) >> 16, counter & 0xFFFF
    words = (0x3C800000 | high, 0x80A40000 | low, 0x38A50001, 0x90A40000 | low, 0x4E800020)
    code = b"".join(word.to_bytes(4, "big") for word in words)
    place = mac.memory.new_pointer(len(code) + 8)
    mac.guest.write(place, code)
    mac.guest.put32(place + len(code), place)
    return place + len(code)


def test_there_is_no_driver(mac: Macintosh) -> None:
    assert do(mac, "DriverRemove", -30) == NO_UNIT
    block = mac.memory.new_pointer(IOParam.size, clear=True)
    later = () if mac.cpu.architecture == "m68k" else (False,)
    for name in ("PBControl", "PBStatus"):
        IOParam(mac.guest, block).ioResult = 1
        assert do(mac, name, block, *later) == NO_UNIT
        assert IOParam(mac.guest, block).ioResult == NO_UNIT
    assert do(mac, "OpenDriver", string(mac, b".AppleCD"), block) == NOT_FOUND
    assert do(mac, "CloseDriver", -30) == NO_UNIT
    assert do(mac, "GetDCtlEntry", -6) == 0


def test_the_program_is_the_only_process(mac: Macintosh) -> None:
    ours, other, result = (mac.memory.new_pointer(8, clear=True) for _ in range(3))
    minus_one = (-1,) if mac.cpu.architecture == "m68k" else ()
    assert do(mac, "GetCurrentProcess", ours) == 0
    assert do(mac, "GetFrontProcess", other, *minus_one) == 0
    assert do(mac, "SameProcess", ours, other, result) == 0
    assert mac.guest.u8(result) == 1
    assert do(mac, "SetFrontProcess", ours) == do(mac, "WakeUpProcess", ours) == 0
    ProcessSerialNumber(mac.guest, other).lowLongOfPSN = 0
    assert do(mac, "GetNextProcess", other) == 0
    assert mac.guest.read(other, 8) == mac.guest.read(ours, 8)
    assert do(mac, "GetNextProcess", other) == NO_SUCH_PROCESS
    assert do(mac, "SetFrontProcess", other) == NO_SUCH_PROCESS
    info = ProcessInfoRec(mac.guest, mac.memory.new_pointer(ProcessInfoRec.size, clear=True))
    info.processName = name = string(mac, b"")
    assert do(mac, "GetProcessInformation", ours, info.address) == 0
    assert (mac.guest.pascal_string(name), info.processType) == (b"Application", b"APPL")
    assert info.processFreeMem < info.processSize
    spec = FSSpec(mac.guest, mac.memory.new_pointer(FSSpec.size, clear=True))
    info.processAppSpec = spec.address
    assert do(mac, "GetProcessInformation", ours, info.address) == 0
    assert (spec.vRefNum, spec.parID, spec.name) == (-1, 2, b"Application")
    launcher = info.address_of(ProcessInfoRec.processLauncher)
    assert do(mac, "GetProcessInformation", launcher, info.address) == NO_SUCH_PROCESS


def test_a_notification_is_shown_and_answered(mac: Macintosh) -> None:
    counter = mac.memory.new_pointer(4, clear=True)
    record = NMRec(mac.guest, mac.memory.new_pointer(NMRec.size, clear=True))
    assert do(mac, "NMInstall", record.address) == -299  # nmTypErr
    record.qType, record.nmStr = 8, string(mac, b"Look here")
    assert do(mac, "NMInstall", record.address) == 0
    assert [(one.title, one.text) for one in mac.outputs.windows] == [("Notification", "Look here")]
    assert do(mac, "NMRemove", record.address) == 0
    assert do(mac, "NMRemove", record.address) == QUEUE_ERROR
    if mac.cpu.architecture == "powerpc":
        record.nmResp = task_code(mac, counter)
        assert do(mac, "NMInstall", record.address) == 0
        do(mac, "TickCount")
        assert mac.guest.u32(counter) == 1


def test_a_retrace_task_runs_as_often_as_it_asks_for(mac: Macintosh) -> None:
    counter = mac.memory.new_pointer(4, clear=True)
    task = VBLTask(mac.guest, mac.memory.new_pointer(VBLTask.size, clear=True))
    assert do(mac, "VInstall", task.address) == -2  # vTypErr
    task.qType, task.vblAddr, task.vblCount = 1, task_code(mac, counter), 3
    assert do(mac, "VInstall", task.address) == 0
    do(mac, "TickCount")
    assert mac.guest.u32(counter) == 0
    mac.clock.wait(100_000)
    do(mac, "TickCount")
    # It stays in the queue, but has no count any more.
    assert (mac.guest.u32(counter), task.vblCount) == (1, 0)
    mac.clock.wait(100_000)
    do(mac, "TickCount")
    assert mac.guest.u32(counter) == 1
    assert do(mac, "VRemove", task.address) == 0
    assert do(mac, "VRemove", task.address) == QUEUE_ERROR


def test_a_retrace_task_that_counts_again_runs_again(mac_68k: Macintosh) -> None:
    mac = mac_68k
    task = VBLTask(mac.guest, mac.memory.new_pointer(VBLTask.size, clear=True))
    counter = mac.memory.new_pointer(4, clear=True)
    # addq.w #2,counter; move.w #2,10(a0): the record is in A0; rts
    code = bytes.fromhex(f"5479{counter:08x}317c0002000a4e75")
    place = mac.memory.new_pointer(len(code))
    mac.guest.write(place, code)
    task.qType, task.vblAddr, task.vblCount = 1, place, 2
    assert do(mac, "VInstall", task.address) == 0
    for _ in range(5):
        mac.clock.wait(100_000)
        do(mac, "TickCount")
    assert mac.guest.u16(counter) >= 8
    assert not mac.outputs.findings


def test_folders_of_the_system_are_found_and_made(mac: Macintosh) -> None:
    volume, directory = mac.memory.new_pointer(4), mac.memory.new_pointer(4)
    assert do(mac, "FindFolder", -32768, "temp", False, volume, directory) == NOT_FOUND
    assert do(mac, "FindFolder", -32768, "temp", True, volume, directory) == 0
    made = mac.guest.u32(directory)
    assert do(mac, "FindFolder", -32768, "temp", False, volume, directory) == 0
    assert (mac.guest.i16(volume), mac.guest.u32(directory)) == (-1, made)
    assert do(mac, "FindFolder", -32768, "pref", False, volume, directory) == 0
    preferences = mac.guest.u32(directory)
    assert do(mac, "FindFolder", -32768, "macs", False, volume, directory) == 0
    assert mac.guest.u32(directory) not in (made, preferences)
    assert do(mac, "FindFolder", -32768, "font", False, volume, directory) == 0
    assert do(mac, "FindFolder", -32768, "xxxx", True, volume, directory) == NOT_FOUND


def test_low_memory_by_calls() -> None:
    mac = make_mac("601")
    assert do(mac, "LMGetCurrentA5") == mac.host.current_a5()
    do(mac, "LMSetMBarHeight", 0)
    assert do(mac, "LMGetMBarHeight") == mac.guest.i16(LowMemory.MENU_BAR_HEIGHT) == 0
    do(mac, "LMSetSdVolume", 0x103)
    assert mac.guest.u8(0x260) == do(mac, "LMGetSdVolume") == 3
    do(mac, "LMSetRawMouse", Point(-7, 300))
    assert mac.guest.point(0x82C) == do(mac, "LMGetRawMouse") == Point(-7, 300)
    do(mac, "TickCount")
    assert not mac.outputs.findings  # to set a global in this way is no mistake


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_says_the_same_everywhere(name: str) -> None:
    machine = MACHINES[name]
    settings = Settings(screen=machine.screen, depth=machine.depth, machine=name)
    mac = make_mac(machine.cpu, settings=settings)
    world = SysEnvRec(mac.guest, mac.memory.new_pointer(SysEnvRec.size))
    do(mac, "SysEnvirons", 2, world.address)
    answers = dict(mac.gestalt._answers)
    assert (world.machineType, answers["mach"]) == (machine.gestalt - 2, machine.gestalt)
    assert (world.processor, world.hasFPU) == (answers["proc"], answers["fpu "] > 0)
    assert world.hasColorQD == (answers["qd  "] > 0) == (name != "plus")
    assert answers["qdrw"] == (0b1000 if name == "plus" else 0b1111)
    assert mac.guest.u16(LowMemory.ROM_VERSION) == (0x7FFF if name == "plus" else 0x3FFF)
    assert answers["rom "] == machine.rom_size


def test_threads_learn_how_large_a_stack_is() -> None:
    mac = make_mac("601")
    assert do(mac, "LMGetDefltStack") == STACK
    assert do(mac, "LMGetMinStack") == 1 << 10


def test_programs_know_their_own_name(mac: Macintosh) -> None:
    assert mac.guest.pascal_string(LowMemory.CURRENT_APPLICATION_NAME) == b"Application"


@pytest.mark.parametrize("where", ["stack", "globals"])
def test_code_on_the_stack_and_among_globals_is_executed(where: str) -> None:
    mac = make_mac("68040")
    place = mac.layout.stack_top - 8192 if where == "stack" else mac.layout.globals_start + 16
    for number in (7, 9):  # the second one is written where the first was executed
        mac.guest.write(place, bytes([0x70, number]) + bytes.fromhex("4e75"))
        mac.engine.forget_code(place, 4)
        assert run_at(mac, place)["d0"] == number
    # The program itself writes MOVEQ #3,D0 there, and jumps to it.
    assert run_code(mac, f"33fc7003{place:08x} 4ef9{place:08x}")["d0"] == 3


def test_code_elsewhere_is_not_executed() -> None:
    mac = make_mac("68040")
    with pytest.raises(Exception, match="memory that may not be executed"):
        run_code(mac, f"4ef9{mac.layout.screen:08x}")


def test_the_drive_of_the_volume_is_in_the_drive_queue(mac: Macintosh) -> None:
    queue = QHdr(mac.guest, 0x308)
    assert queue.qHead == queue.qTail
    drive = DrvQEl(mac.guest, queue.qHead)
    assert (drive.dQDrive, drive.dQRefNum, drive.qLink) == (1, -5, 0)
    assert mac.guest.read(drive.address - 4, 4) == bytes([0, 8, 0, 0])  # a disk, not ejectable
    blocks = mac.memory.new_pointer(256, clear=True)
    assert do(mac, "GetVInfo", drive.dQDrive, blocks, blocks + 64, blocks + 68) == 0
    assert mac.guest.u32(blocks + 68) <= 512 * (drive.dQDrvSz2 << 16 | drive.dQDrvSz)


def test_the_volume_is_in_the_queue_of_volumes(mac: Macintosh) -> None:
    """Programs and filters of file dialogs walk it from a drive to its volume's name."""
    queue = QHdr(mac.guest, 0x356)
    assert queue.qHead == queue.qTail == mac.guest.u32(0x352)
    volume = VCB(mac.guest, queue.qHead)
    drive = DrvQEl(mac.guest, QHdr(mac.guest, 0x308).qHead)
    assert (volume.vcbDrvNum, volume.vcbDRefNum) == (drive.dQDrive, drive.dQRefNum)
    name, reference = mac.memory.new_pointer(256), mac.memory.new_pointer(2)
    assert do(mac, "GetVol", name, reference) == 0
    assert mac.guest.pascal_string(volume.address + 44) == mac.guest.pascal_string(name)
    assert volume.vcbVRefNum == mac.guest.i16(reference)
    if mac.cpu.architecture == "powerpc":
        assert do(mac, "GetVCBQHdr") == queue.address
        assert QHdr(mac.guest, do(mac, "GetDrvQHdr")).qHead == drive.address
        assert QHdr(mac.guest, do(mac, "GetFSQHdr")).qHead == 0


def test_an_open_file_has_a_control_block(mac: Macintosh) -> None:
    """The compilers' glue of GetVRefNum reads it: FCBSPtr, the file's VCB, vcbVRefNum."""
    mac.files.add("Notes", b"12345", "TEXT", "ttxt")
    name, place = mac.memory.new_pointer(256), mac.memory.new_pointer(2)
    mac.guest.put_pascal_string(name, b"Notes")
    assert do(mac, "FSOpen", name, 0, place) == 0
    reference, blocks = mac.guest.u16(place), mac.guest.u32(0x34E)
    assert reference % mac.guest.u16(0x3F6) == 2
    assert reference < mac.guest.u16(blocks)
    block = FCB(mac.guest, blocks + reference)
    assert VCB(mac.guest, block.fcbVPtr).vcbVRefNum == -1
    assert (block.fcbEOF, block.fcbFType, block.fcbDirID) == (5, b"TEXT", 2)
    assert mac.guest.pascal_string(block.address + 62) == b"Notes"
    assert do(mac, "FSClose", reference) == 0
    assert (block.fcbFlNum, block.fcbVPtr) == (0, 0)


def test_a_powerpc_program_writes_among_its_code_with_a_finding() -> None:
    sections = (ProgramSection("section 0 (code)", 0x2000, False, True),)
    layout = plan(1 << 20, 64 << 10, bytes_in_row(640, 1) * 480, sections=sections)
    mac = Macintosh(CPUS["601"], layout, Settings(depth=1), CallClock())
    place = layout.sections[0].address
    text = place + 0x100
    mac.guest.memory.write(text, b"constant\0")
    do(mac, "C2PStr", text)  # what compilers put there, strings among the code
    assert mac.guest.pascal_string(text) == b"constant"
    high, low = (text + 0x8000) >> 16, text & 0xFFFF
    words = (0x3C800000 | high, 0x38A0004B, 0x98A40001 | low, 0x4E800020)  # stb r5, 1(text)
    mac.guest.memory.write(place, b"".join(word.to_bytes(4, "big") for word in words))
    run_at(mac, place)
    assert mac.guest.pascal_string(text) == b"Konstant"
    assert {(found.check, found.sureness) for found in mac.outputs.findings.values()} == {
        ("code section", Sureness.SOME)
    }
    with pytest.raises(GuestError, match="may not be written"):
        do(mac, "C2PStr", ROM_START)


def test_parameter_ram_is_kept(mac: Macintosh) -> None:
    buffer = mac.memory.new_pointer(8)
    mac.guest.write(buffer, b"location")
    do(mac, "WriteXPRam", 8 << 16 | 0xE4, buffer)
    mac.guest.write(buffer, bytes(8))
    do(mac, "ReadXPRam", 4 << 16 | 0xE5, buffer)
    assert mac.guest.read(buffer, 8) == b"ocat\0\0\0\0"
    do(mac, "ReadXPRam", 8 << 16 | 0xFF, buffer)  # only one byte is left there
    assert mac.guest.read(buffer, 8) == b"\0cat\0\0\0\0"


def test_nothing_is_on_the_bus(mac: Macintosh) -> None:
    assert do(mac, "CountADBs") == 0
    assert do(mac, "GetIndADB", 0, 1) == do(mac, "GetADBInfo", 0, 2) == -1


def test_the_dots_of_the_screen() -> None:
    mac = make_mac("601")
    place = mac.memory.new_pointer(4)
    do(mac, "ScreenRes", place, place + 2)
    assert mac.guest.read(place, 4) == b"\0\x48\0\x48"


def test_balloon_help_is_off(mac: Macintosh) -> None:
    assert not do(mac, "HMGetBalloons")
    assert not do(mac, "HMIsBalloon")
    assert do(mac, "HMRemoveBalloon") == -862
    help_is_off, mouse_moved_on = -850, -853
    arguments = (0, Point(5, 5), 0, 0, 0, 0, 0)
    assert do(mac, "HMShowBalloon", *arguments) == help_is_off
    assert do(mac, "HMSetBalloons", True) == 0
    assert do(mac, "HMShowBalloon", *arguments) == mouse_moved_on


def test_menus_and_dialogs_have_help_resources(mac: Macintosh) -> None:
    answer = mac.memory.new_pointer(2)
    assert do(mac, "HMGetMenuResID", 128, answer) == do(mac, "HMSetMenuResID", 128, 300) == 0
    assert mac.guest.i16(answer) == -1
    do(mac, "HMGetMenuResID", 128, answer)
    assert mac.guest.i16(answer) == 300
    do(mac, "HMSetDialogResID", 200)
    do(mac, "HMGetDialogResID", answer)
    assert mac.guest.i16(answer) == 200


def test_there_is_nothing_to_record_sound_from(mac: Macintosh) -> None:
    no_hardware, bad_device = -220, -221
    reference = mac.memory.new_pointer(4)
    assert do(mac, "SPBOpenDevice", 0, 1, reference) == no_hardware
    assert do(mac, "SndRecord", 0, Point(50, 50), "good", reference) == no_hardware
    assert do(mac, "SPBCloseDevice", 1) == do(mac, "SPBStopRecording", 1) == bad_device
    assert do(mac, "SPBGetRecordingStatus", 1, 0, 0, 0, 0, 0, 0) == bad_device
    assert do(mac, "SPBVersion") >> 24 == do(mac, "MACEVersion") >> 24 == 1


def test_tasks_of_a_slot_run_with_the_screen(mac: Macintosh) -> None:
    task = VBLTask(mac.guest, mac.memory.new_pointer(VBLTask.size, clear=True))
    task.qType, task.vblCount = 1, 100
    assert do(mac, "SlotVInstall", task.address, 9) == do(mac, "AttachVBL", 9) == 0
    assert do(mac, "SlotVRemove", task.address, 9) == 0
    assert do(mac, "SlotVRemove", task.address, 9) == -1


def _launch_block(mac: Macintosh, name: bytes, flags: int) -> int:
    """The address of a parameter block of System 7 that names a file of the disk."""
    spec = mac.memory.new_pointer(FSSpec.size, clear=True)
    FSSpec(mac.guest, spec).parID = 2
    FSSpec(mac.guest, spec).name = name
    address: int = mac.memory.new_pointer(44, clear=True)
    block = LaunchParamBlock(mac.guest, address)
    block.launchBlockID, block.launchEPBLength = 0x4C43, 32
    block.launchControlFlags, block.launchAppSpec = flags, spec
    return address


def test_a_program_that_is_not_there_is_not_launched(mac: Macintosh) -> None:
    for flags in (0, 0x4000):
        assert do(mac, "LaunchApplication", _launch_block(mac, b"Nowhere", flags)) == -43


def test_another_program_is_not_run_beside_or_instead(mac: Macintosh) -> None:
    mac.files.add("Other", type="APPL")
    assert do(mac, "LaunchApplication", _launch_block(mac, b"Other", 0x4000)) == -108
    with pytest.raises(GuestStopError, match="'Other' in its own place"):
        do(mac, "LaunchApplication", _launch_block(mac, b"Other", 0))


def test_the_old_forms_of_launching_name_a_file(mac_68k: Macintosh) -> None:
    mac = mac_68k
    mac.files.add("Other", type="APPL")
    name, block = mac.memory.new_pointer(32), mac.memory.new_pointer(8, clear=True)
    mac.guest.put32(block, name)
    for routine in ("LaunchApplication", "Chain"):
        mac.guest.put_pascal_string(name, b"Nowhere")
        assert do(mac, routine, block) == -43
        mac.guest.put_pascal_string(name, b"Other")
        with pytest.raises(GuestStopError, match="'Other' in its own place"):
            do(mac, routine, block)


def test_the_extension_of_before_system_7_names_a_file(mac: Macintosh) -> None:
    mac.files.add("Other", type="APPL")
    name, address = mac.memory.new_pointer(32), mac.memory.new_pointer(20, clear=True)
    mac.guest.put_pascal_string(name, b"Other")
    block = LaunchParamBlock(mac.guest, address)
    block.name, block.launchBlockID, block.launchEPBLength = name, 0x4C43, 6
    block.launchAppSpec = 0x08000000
    with pytest.raises(GuestStopError, match="'Other' in its own place"):
        do(mac, "LaunchApplication", address)
    block.launchControlFlags = 0xC000
    assert do(mac, "LaunchApplication", address) == -108


def test_the_only_disk_is_not_formatted(mac: Macintosh) -> None:
    for name in ("DILoad", "DIUnload"):
        do(mac, name)
    assert do(mac, "DIBadMount", Point(0, 0), 0xFFC40001) == 1  # the user takes the disk out
    name = mac.memory.new_pointer(32)
    mac.guest.put_pascal_string(name, b"Empty")
    assert [do(mac, "DIFormat", drive) for drive in (1, 2)] == [-44, -56]
    assert [do(mac, "DIVerify", drive) for drive in (1, 2)] == [0, -56]
    assert [do(mac, "DIZero", drive, name) for drive in (1, 2)] == [-44, -56]


def test_balloons_can_be_turned_on(mac: Macintosh) -> None:
    assert do(mac, "HMGetBalloons") is False
    assert do(mac, "HMSetBalloons", True) == 0
    assert do(mac, "HMGetBalloons") is True
    assert do(mac, "HMIsBalloon") is False


def test_nothing_answers_on_the_scsi_bus_and_no_slot_has_a_card(mac: Macintosh) -> None:
    no_answer, out_of_sequence, empty_slot, no_more = 2, 8, -300, -344
    assert do(mac, "SCSIReset") == do(mac, "SCSIGet") == do(mac, "SCSIStat") == 0
    assert do(mac, "SCSISelect", 3) == do(mac, "SCSISelAtn", 3) == no_answer
    assert do(mac, "SCSICmd", 0, 6) == do(mac, "SCSIRead", 0) == out_of_sequence
    assert do(mac, "SCSIComplete", 0, 0, 60) == out_of_sequence
    assert do(mac, "SReadByte", 0) == do(mac, "SRsrcInfo", 0) == empty_slot
    assert do(mac, "SNextSRsrc", 0) == do(mac, "SGetTypeSRsrc", 0) == no_more


def test_calls_read_the_globals_of_programs() -> None:
    mac = make_mac("601")
    name = mac.guest.pascal_string(do(mac, "LMGetCurApName"))
    assert name.decode("mac_roman") == mac.host.application.name[:31]
    mac.guest.put32(0x328, 0x1234)
    mac.guest.put16(0x984, 3)
    assert do(mac, "GZSaveHnd") == 0x1234
    assert (do(mac, "GetSysFont"), do(mac, "GetAppFont")) == (0, 3)
    assert do(mac, "GetEvQHdr") == do(mac, "LMGetEventQueue") == 0x14A


def test_private_calls_of_the_process_manager_take_no_more_than_their_arguments(
    mac_68k: Macintosh,
) -> None:
    """Numbers 2, 39 and 40 of OSDispatch: who switches programs, and names of printer types."""
    names, local, chosen = (mac_68k.memory.new_pointer(32) for _ in range(3))
    mac_68k.guest.write(names, b"\x05Laser")
    marked = run_code(
        mac_68k,
        "2f3c 1234 5678"  # a long word of the caller's
        "2f08 3f3c 0002 a88f"  # GetSwitchInfo
        "2f09 2f09 4227 3f3c 0028 a88f"  # SetPrTypeStrings
        "558f 2f0a 2f0b 3f3c 0027 a88f"  # GetPrTypeStrings
        "548f 201f 4e75",
        a0=local,
        a1=names,
        a2=local + 8,
        a3=chosen,
    )
    assert marked["d0"] == 0x12345678
    assert mac_68k.guest.read(local, 8) == bytes(8)
    for place in (local + 8, chosen):
        assert mac_68k.guest.pascal_string(mac_68k.guest.u32(place)) == b"Laser"
