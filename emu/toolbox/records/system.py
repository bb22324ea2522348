"""The records of memory, events, queues, time, the scrap, processes and the machine.

Sources: the pages named with each record, of Inside Macintosh.
"""

from __future__ import annotations

from emu.toolbox.records.fields import (
    array,
    boolean,
    data,
    four_characters,
    handle,
    int16,
    int32,
    nested,
    point,
    pointer,
    procedure,
    string,
    string_pointer,
    uint8,
    uint16,
    uint32,
)
from emu.toolbox.records.record import Record


class Zone(Record):
    """A heap zone; its blocks follow (II, p. II-22)."""

    bkLim = pointer()
    purgePtr = pointer()
    hFstFree = pointer()
    zcbFree = int32()
    gzProc = procedure()
    moreMast = int16()
    flags = int16()
    cntRel = int16()
    maxRel = int16()
    cntNRel = int16()
    maxNRel = int16()
    cntEmpty = int16()
    cntHandles = int16()
    minCBFree = int32()
    purgeProc = procedure()
    sparePtr = pointer()
    allocPtr = pointer()
    heapData = array(int16())


class BlockHeader(Record):
    """What lies before the contents of a block of a 32-bit zone (Memory, p. 2-22)."""

    tag = uint8()
    masterFlags = uint8()
    reserved = uint8()
    sizeCorrection = uint8()
    physicalSize = uint32()
    zoneOrHandle = uint32()


class EventRecord(Record):
    """An event (I, p. I-249)."""

    what = uint16("short")
    message = uint32("long")
    when = uint32("long")
    where = point()
    modifiers = uint16("short")


class QElem(Record):
    """The beginning of whatever is in a queue (II, p. II-373)."""

    qLink = pointer("QElem")
    qType = int16()


class QHdr(Record):
    """The header of a queue (II, p. II-372)."""

    qFlags = int16()
    qHead = pointer(QElem)
    qTail = pointer(QElem)


class TMTask(Record):
    """A task of the Time Manager; the extended one has all fields (Processes, p. 3-18)."""

    qLink = pointer(QElem)
    qType = uint16("short")
    tmAddr = procedure()
    tmCount = int32()
    tmWakeUp = int32()
    tmReserved = int32()


class UnsignedWide(Record):
    """A number of 64 bits (QuickDraw GX: Mathematics; used by Microseconds)."""

    hi = uint32()
    lo = uint32()


class DateTimeRec(Record):
    """A date and a time (II, p. II-378)."""

    year = int16()
    month = int16()
    day = int16()
    hour = int16()
    minute = int16()
    second = int16()
    dayOfWeek = int16()


class LongDateRec(Record):
    """A date and a time of any era (Inside Macintosh: Operating System Utilities, chapter 4)."""

    era = int16()
    year = int16()
    month = int16()
    day = int16()
    hour = int16()
    minute = int16()
    second = int16()
    dayOfWeek = int16()
    dayOfYear = int16()
    weekOfYear = int16()
    pm = int16()
    res1 = int16()
    res2 = int16()
    res3 = int16()


class ScrapStuff(Record):
    """What InfoScrap points to, in low memory (I, p. I-457)."""

    scrapSize = int32()
    scrapHandle = handle()
    scrapCount = int16()
    scrapState = int16()
    scrapName = string_pointer()


class SysEnvRec(Record):
    """What SysEnvirons tells of the machine (V, p. V-6)."""

    environsVersion = int16()
    machineType = int16()
    systemVersion = int16()
    processor = int16()
    hasFPU = boolean()
    hasColorQD = boolean()
    keyBoardType = int16()
    atDrvrVersNum = int16()
    sysVRefNum = int16()


class Decimal(Record):
    """A decimal number: sgn is 1 below zero, sig its digits (Apple Numerics Manual, chapter 4)."""

    sgn = uint8()
    filler = data(1)
    exp = int16()
    sig = string(20)
    padding = data(1)


class DecForm(Record):
    """How many digits a number is to have: before all, or after the point (style 1)."""

    style = uint8()
    filler = data(1)
    digits = int16()


class RoutineRecord(Record):
    """A routine for one processor (PowerPC System Software, p. 2-38)."""

    procInfo = uint32()
    reserved1 = uint8()
    ISA = uint8()
    routineFlags = uint16()
    procDescriptor = procedure()
    reserved2 = uint32()
    selector = uint32()


class RoutineDescriptor(Record):
    """What a universal procedure pointer leads to (PowerPC System Software, chapter 2)."""

    goMixedModeTrap = uint16()
    version = uint8()
    routineDescriptorFlags = uint8()
    reserved1 = uint32()
    reserved2 = uint8()
    selectorInfo = uint8()
    routineCount = int16()
    routineRecords = nested(RoutineRecord)


class VBLTask(Record):
    """A task that the vertical retrace starts (II, p. II-350)."""

    qLink = pointer(QElem)
    qType = int16()
    vblAddr = procedure()
    vblCount = int16()
    vblPhase = int16()


class DeferredTask(Record):
    """A task that runs once all interrupts have been served (V, p. V-467)."""

    qLink = pointer(QElem)
    qType = int16()
    dtFlags = int16()
    dtAddr = procedure()
    dtParam = int32()
    dtReserved = int32()


class DCtlEntry(Record):
    """What the system keeps of a driver in the unit table (II, p. II-190)."""

    dCtlDriver = pointer()
    dCtlFlags = uint16("short")
    dCtlQHdr = nested(QHdr)
    dCtlPosition = int32()
    dCtlStorage = handle()
    dCtlRefNum = int16()
    dCtlCurTicks = uint32("long")
    dCtlWindow = pointer("GrafPort")
    dCtlDelay = int16()
    dCtlEMask = uint16("short")
    dCtlMenu = int16()


class DriverHeader(Record):
    """The beginning of a driver, before its name; its routines are at offsets (II, p. II-188)."""

    drvrFlags = uint16("short")
    drvrDelay = int16()
    drvrEMask = uint16("short")
    drvrMenu = int16()
    drvrOpen = int16()
    drvrPrime = int16()
    drvrCtl = int16()
    drvrStatus = int16()
    drvrClose = int16()


class NMRec(Record):
    """A notification that a program asks for (Processes, p. 5-6)."""

    qLink = pointer(QElem)
    qType = int16()
    nmFlags = int16()
    nmPrivate = int32()
    nmReserved = int16()
    nmMark = int16()
    nmIcon = handle()
    nmSound = handle()
    nmStr = string_pointer()
    nmResp = procedure()
    nmRefCon = int32()


class ProcessSerialNumber(Record):
    """The number of a process (Processes, p. 2-20)."""

    highLongOfPSN = uint32()
    lowLongOfPSN = uint32()


class ProcessInfoRec(Record):
    """What GetProcessInformation tells (Processes, p. 2-21)."""

    processInfoLength = uint32()
    processName = string_pointer()
    processNumber = nested(ProcessSerialNumber)
    processType = four_characters()
    processSignature = four_characters()
    processMode = uint32()
    processLocation = pointer()
    processSize = uint32()
    processFreeMem = uint32()
    processLauncher = nested(ProcessSerialNumber)
    processLaunchDate = uint32()
    processActiveTime = uint32()
    processAppSpec = pointer("FSSpec")


class AEDesc(Record):
    """A descriptor of an Apple event: its data, and of what type they are (IAC, chapter 3)."""

    descriptorType = four_characters()
    dataHandle = handle()


class SndCommand(Record):
    """A command for a sound channel (Sound, chapter 2)."""

    cmd = uint16()
    param1 = int16()
    param2 = int32()


class SndDoubleBuffer(Record):
    """A piece of a sound, without its samples (Sound, chapter 2)."""

    dbNumFrames = int32()
    dbFlags = int32()
    dbUserInfo1 = int32()
    dbUserInfo2 = int32()


class SndDoubleBufferHeader(Record):
    """Two pieces that are played in turn, and the routine that fills them (Sound, chapter 2)."""

    dbhNumChannels = int16()
    dbhSampleSize = int16()
    dbhCompressionID = int16()
    dbhPacketSize = int16()
    dbhSampleRate = uint32("Fixed")
    dbhBufferPtr1 = pointer(SndDoubleBuffer)
    dbhBufferPtr2 = pointer(SndDoubleBuffer)
    dbhDoubleBack = procedure()


class SndChannel(Record):
    """A sound channel, with its queue of 128 commands (Sound, p. 2-96)."""

    nextChan = pointer("SndChannel")
    firstMod = pointer()
    callBack = procedure()
    userInfo = int32()
    wait = int32()
    cmdInProgress = nested(SndCommand)
    flags = int16()
    qLength = int16()
    qHead = int16()
    qTail = int16()
    queue = data(1024)
