"""Plans guest memory for a Mac program.

::

    low memory | heap stack globals (A5) jump table | PowerPC sections | screen | ROM

with unmapped pages between them, except in the program's partition, which is one piece, as on a
Macintosh: the heap grows upwards to ApplLimit, the stack downwards as far as the heap leaves it
room. THINK C's start-up code clears memory from CurStackBase up to A5, which are the globals.

Low memory, heap and stack are arranged as on a Macintosh without virtual memory. The area of the
ROM holds no code of Apple's. It has an address to jump to for each trap, a transition vector for
each PowerPC import, and the sentinel at which a run ends. Source of low-memory addresses: Inside
Macintosh, appendix "System Global Variables", in most volumes.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.machine.memory.layout import APPLICATION_SHADOW, APPLICATION_SHADOWED, GRANULE
from emu.machine.memory.memory import PAGE, MemoryRegion, page_ceiling, page_floor

LOW_MEMORY_SIZE = 0x3000
SYSTEM_ZONE_START = 0xC000
"""Where the system's zone begins: behind the control blocks of files. It ends where the
application's heap begins."""
HEAP_START = 0x10000
GAP = 16 * PAGE
"""Between two pieces of memory. In the partition it is the `StackGuard`, the heap's last bytes."""
SCREEN_START = 0x0200_0000
GRAFTS = MemoryRegion("grafts", 0x01F0_0000, 0xF_0000, False, True)
"""Where new functions lie in the memory of an old program, which knows nothing of it. A branch of
the PowerPC, which reaches 32 MiB, leads from there to every program."""
ROM_START = 0x0280_0000
ROM_SIZE = 0x20000

EMPTY = MemoryRegion("empty bus", ROM_START + 2 * ROM_SIZE, 2 * PAGE, True, False)
"""What is read where no memory is: zeros. Its second page takes what is stored there."""

ROM_TRAPS = ROM_START
"""One entry of 8 bytes for each trap number: 256 of the Operating System, 1024 of the Toolbox."""
ROM_IMPORTS = ROM_START + 0x4000
"""One entry of 16 bytes for each PowerPC import: {sc, blr, transition vector}."""
ROM_HEADER = ROM_START + 0x18100
"""Where ROMBase leads: the version at 8, and at 10 the code that starts the Macintosh again."""
ROM_ERROR = ROM_START + 0x18180
"""Where the processor's exceptions lead, as low memory says: SysError."""
ROM_SCREEN_SIZE = ROM_START + 0x18190
"""The routine of QuickDraw's that tells the size of the screen."""
ROM_IO_DONE = ROM_START + 0x181B0
"""Where drivers jump when they have done a call: IODone."""
ROM_THREADS = ROM_START + 0x181C0
"""Where threads of a 68K program leave one another, and end: two traps."""
ROM_CODE = ROM_START + 0x18200
"""Routines of PowerPC libraries that are guest code."""
SENTINEL = ROM_START + ROM_SIZE - 32
"""Where a run ends. Behind it the engine puts single instructions, of up to 24 bytes."""

SHADOW = MemoryRegion("shadow", APPLICATION_SHADOW, APPLICATION_SHADOWED // GRANULE, True, False)
"""Where a program with sanitizers keeps what it may access. It is closed to others."""

GLOBALS_ABOVE_A5 = 32
"""Application parameters: the pointer to QuickDraw's globals is the first."""


class LowMemory:
    """Addresses of system globals."""

    BUS_ERROR_VECTOR = 0x8
    """The processor's. Programs look for a debugger behind it. Other vectors are 0: a program that
    takes nil for a structure finds nil in it."""

    MEM_TOP = 0x108
    BUFFER_POINTER = 0x10C
    HEAP_END = 0x114
    HIGH_HEAP_MARK = 0xBAE
    """HiHeapMark: the highest end of a zone below the stack, from which StackSpace counts."""

    THE_ZONE = 0x118
    UNIT_TABLE = 0x11C
    PROCESSOR = 0x12F
    """CPUFlag: 0 a 68000, 2 a 68020, 3 a 68030 or PowerPC, 4 a 68040."""

    APPLICATION_LIMIT = 0x130
    SYSTEM_EVENT_MASK = 0x144
    SYSTEM_VERSION = 0x15A
    """SysVersion, as Gestalt answers 'sysv'."""

    SYSTEM_EVENTS = 0x15C
    """SEvtEnb: 0 if GetNextEvent is to leave events of desk accessories to the program."""

    TICKS = 0x16A
    MOUSE_BUTTON_STATE = 0x172
    KEY_MAP = 0x174
    UNIT_COUNT = 0x1D2
    TIME = 0x20C
    MEMORY_ERROR = 0x220
    SCREEN_VERTICAL_DOTS = 0x102
    SCREEN_HORIZONTAL_DOTS = 0x104
    SCREEN_ROW_BYTES = 0x106
    MINIMUM_STACK = 0x31E
    DEFAULT_STACK = 0x322
    ROM_VERSION = 0x28E
    KEY_TRANSLATOR, KEYPAD_TRANSLATOR = 0x29E, 0x2A2
    """Key1Trans and Key2Trans: the routines that make characters of key codes."""

    ROM_BASE = 0x2AE
    EXPANDED_MEMORY = 0x2B6
    """ExpandMem: a pointer to what the system keeps beside low memory."""

    EXPANDED, EVENT_RECORD_MASTERS, EVENT_RECORDS = 0x2600, 0x2780, 0x2790
    """What ExpandMem points to, and two records of the Apple Event Manager with their master
    pointers."""

    EVENT_RECORD_SIZE = 0x20

    DRIVE_QUEUE = 0x308
    LOW_THREE_BYTES = 0x31A
    """Lo3Bytes: a mask for addresses of 24 bits. Glue of compilers strips addresses with it where
    the ROM is older than StripAddress."""

    CURSOR_PIN = 0x834
    """CrsrPin: the rectangle that the mouse stays in."""

    SOUND_BASE = 0x266
    SOUND_BUFFER = 0x2A00
    """What SoundBase points to: the buffer from which the first Macintoshes play, a byte of sound
    in each word. Programs of the time write to it; nothing is played from it here."""

    DRIVE_QUEUE_ELEMENT = 0x2F04
    """The one drive; its flags are in the four bytes before it. The system's zone would be here."""

    BOOT_DRIVE = 0x210
    """BootDrive: the volume, or the working directory, that the System came from."""

    VOLUME_QUEUE, FILE_QUEUE, DEFAULT_VOLUME = 0x356, 0x360, 0x352
    """VCBQHdr, FSQHdr and DefVCBPtr."""

    VOLUME = 0x2F20
    """The one volume, as the queue of volumes has it."""

    FILE_CONTROL_BLOCKS, OPEN_FILES = 0x34E, 0x4000
    """FCBSPtr, and where it leads to: below the system's zone."""

    APPLICATION_ZONE = 0x2AA
    SYSTEM_ZONE = 0x2A6
    SCREEN_SIZE_VECTOR = 0x810
    """JScrnSize, which is called with two variables: width and height."""

    IO_DONE_VECTOR = 0x8FC
    """JIODone."""

    SCREEN_BASE = 0x824
    MOUSE_POSITION = 0x830
    CURRENT_APPLICATION_REFERENCE = 0x900
    CURRENT_A5 = 0x904
    CURRENT_STACK_BASE = 0x908
    CURRENT_APPLICATION_NAME = 0x910
    CURRENT_JUMP_TABLE_OFFSET = 0x934
    GRAY_REGION = 0x9EE
    TOP_MAP_HANDLE = 0xA50
    APPLICATION_PARAMETERS = 0xAEC
    """AppParmHandle: the documents that the program is to open. It is at 16(A5), too."""

    SYSTEM_MAP_HANDLE = 0xA54
    SYSTEM_MAP = 0xA58
    CURRENT_MAP = 0xA5A
    ONE_ONE = 0xA02
    MINUS_ONE = 0xA06
    SOUND_OF_GLUE = 0xAE8
    """The handle of what StartSound plays (II-231), or -1: the glue in programs compares it with
    MinusOne, puts MinusOne there when the sound has ended, and follows anything else."""

    ADDRESSING_MODE = 0xCB2
    """MMU32Bit: not 0 while addresses have 32 bits."""

    WINDOW_MANAGER_STATE = 0x8F2
    """WWExist: 0xFF until the first InitWindows."""

    QUICKDRAW_STATE = 0x8F3
    """QDExist: 0xFF until the first InitGraf."""

    FILE_CONTROL_BLOCK_LENGTH = 0x3F6
    """FSFCBLen: -1 on a Macintosh without the hierarchical file system."""

    PRINT_ERROR = 0x944
    RESOURCE_LOAD = 0xA5E
    RESOURCE_ERROR = 0xA60
    DIALOG_FONT = 0xAFA
    WINDOW_LIST = 0x9D6
    WINDOW_MANAGER_PORT = 0x9DE
    WINDOW_MANAGER_COLOR_PORT = 0xD2C
    MENU_COLORS = 0xD50
    """MenuCInfo: the handle of the table of menu colours."""

    HIGHLIGHT_MODE = 0x938
    """HiliteMode: bit 7 is 0 if the next inverting is to highlight."""

    HIGHLIGHT_COLOR = 0xDA0
    """HiliteRGB: what is behind highlighted text in ports without a colour of their own."""

    CACHE_FLUSH = 0x6F4
    """JCacheFlush: the routine that makes the processor forget code."""

    MENU_BAR_HEIGHT = 0xBAA
    SYSTEM_DIRECTION = 0xBAC
    DOUBLE_CLICK_TIME = 0x2F0
    CARET_TIME = 0x2F4
    SCRATCH_20 = 0x1E4


@dataclass(frozen=True, slots=True)
class Layout:
    """The addresses of one Macintosh; see the picture above. Sizes are in bytes."""

    heap: int
    heap_size: int
    """The most that the zone can have."""
    stack: int
    """The end of the largest zone; the guard may be the first bytes from there on."""
    stack_size: int
    default_stack: int
    """What the heap leaves to the stack when it has grown to its limit."""
    globals_start: int
    a5: int
    above_a5: int
    screen: int
    screen_size: int
    sections: tuple[MemoryRegion, ...] = ()

    @property
    def stack_top(self) -> int:
        """Where the stack begins; it grows downwards."""
        return self.stack + self.stack_size

    @property
    def is_partition(self) -> bool:
        """Whether heap and stack grow towards each other."""
        return self.heap + self.heap_size == self.stack

    @property
    def limit(self) -> int:
        """ApplLimit: where the heap ends at most, with the guard."""
        heap_end = self.heap + self.heap_size
        return self.stack_top - self.default_stack if self.is_partition else heap_end

    def regions(self) -> list[MemoryRegion]:
        """The regions of guest memory to map."""
        below, table = page_floor(self.globals_start), page_floor(self.a5)
        pieces = [
            MemoryRegion("low memory", 0, LOW_MEMORY_SIZE, True, False),
            # The system's heap is there on a Macintosh: programs read what is none of theirs.
            MemoryRegion(
                "system heap", LOW_MEMORY_SIZE, SYSTEM_ZONE_START - LOW_MEMORY_SIZE, False, False
            ),
            # Drivers that programs install are executed there.
            MemoryRegion(
                "system zone", SYSTEM_ZONE_START, HEAP_START - SYSTEM_ZONE_START, True, True
            ),
            # Code resources are loaded into the heap.
            MemoryRegion("heap", self.heap, self.heap_size, True, True),
            MemoryRegion("stack", self.stack, page_floor(self.stack_top) - self.stack, True, False),
            MemoryRegion("globals", below, table - below, True, False),
            MemoryRegion(
                "jump table", table, page_ceiling(self.a5 + self.above_a5) - table, True, True
            ),
            *self.sections,
            MemoryRegion("screen", self.screen, page_ceiling(self.screen_size), True, False),
            MemoryRegion("ROM", ROM_START, ROM_SIZE, False, True),
            EMPTY,
        ]
        return [piece for piece in pieces if piece.size]


@dataclass(frozen=True, slots=True)
class ProgramSection:
    """A piece of a PowerPC program that needs memory of its own; ``size`` is in bytes."""

    name: str
    size: int
    writable: bool
    executable: bool


def _require_room(end: int, screen_size: int, limit: int) -> None:
    """Refuse a program that ends above a limit, or a screen that is too large.

    Raises:
        UsageError: there is not enough room.
    """
    if SCREEN_START + screen_size > ROM_START:
        raise UsageError(
            f"the screen takes {screen_size:,} bytes, and there is room for "
            f"{ROM_START - SCREEN_START:,}: choose a smaller one, or fewer bits for each pixel"
        )
    if end > limit:
        raise UsageError(f"the program needs memory up to 0x{end:x}, and only 0x{limit:x} is there")


def plan(
    heap_size: int,
    stack_size: int,
    screen_size: int,
    *,
    below_a5: int = 0,
    above_a5: int = 0,
    table_offset: int = GLOBALS_ABOVE_A5,
    sections: tuple[ProgramSection, ...] = (),
    has_grafts: bool = False,
) -> Layout:
    """Place everything.

    Args:
        heap_size: the most that the application's zone has to be able to have.
        stack_size: the default stack.
        screen_size: the size of the screen's pixels.
        below_a5: the size of a 68K program's globals.
        above_a5: the size of its application parameters and jump table.
        table_offset: how far above A5 its jump table begins, which gets a page of its own.
        sections: the sections of a PowerPC program.
        has_grafts: whether there is memory for new functions, `GRAFTS`.

    Raises:
        UsageError: there is not enough room for all of it.
    """
    below_a5 += below_a5 % 2
    end = HEAP_START + page_ceiling(heap_size) + GAP + stack_size
    a5 = page_ceiling(end + below_a5 + table_offset) - table_offset
    globals_start = a5 - below_a5
    stack = page_floor(globals_start - stack_size) - GAP
    cursor = page_ceiling(a5 + max(above_a5, GLOBALS_ABOVE_A5)) + GAP
    placed = []
    for section in sections:
        size = page_ceiling(section.size)
        if size:
            placed.append(
                MemoryRegion(section.name, cursor, size, section.writable, section.executable)
            )
        cursor += size + GAP
    _require_room(cursor, screen_size, GRAFTS.address if has_grafts else SCREEN_START)
    if has_grafts:
        placed.append(GRAFTS)
    return Layout(
        heap=HEAP_START,
        heap_size=stack - HEAP_START,
        stack=stack,
        stack_size=globals_start - stack,
        default_stack=stack_size,
        globals_start=globals_start,
        a5=a5,
        above_a5=max(above_a5, GLOBALS_ABOVE_A5),
        screen=SCREEN_START,
        screen_size=screen_size,
        sections=tuple(placed),
    )
