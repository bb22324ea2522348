"""Which windows there are, how they cover one another, and what must be drawn when that changes.

Windows have no memory of their pixels: what becomes visible is drawn anew, its frame and its
blank content by the Window Manager at once, the rest by the program, which an update event asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from emu.quickdraw import EMPTY, PixelRegion, Rectangle
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.windows.definitions import WindowDefinitions
from emu.toolbox.managers.windows.frames import Frame, WindowKind
from emu.toolbox.managers.windows.record import global_rectangle, local_origin
from emu.toolbox.records.record import RecordField
from emu.toolbox.records.windows import WindowRecord, WStateData

DESK_PATTERN = 0xA3C
"""The low-memory global DeskPattern (Inside Macintosh I, p. I-282)."""

_KEPT = 1024
"""How many results of covering one region by a window are kept; most are needed again."""


@dataclass(slots=True)
class OpenWindow:
    """What is kept of a window besides its record.

    Attributes:
        kind: its look.
        owns_record: whether the Window Manager allocated its record.
        hidden_by_update: its visible region, while between BeginUpdate and EndUpdate.
    """

    kind: WindowKind
    owns_record: bool
    hidden_by_update: PixelRegion | None = None


@dataclass(frozen=True, slots=True)
class _Exposed:
    """What can be seen, in global coordinates: of each window, and of the desktop."""

    structures: dict[int, PixelRegion]
    contents: dict[int, PixelRegion]
    desktop: PixelRegion


@dataclass(frozen=True, slots=True)
class _Covered:
    """What a window shows of itself where those before it have left room, and what it leaves."""

    structure: PixelRegion
    content: PixelRegion
    left: PixelRegion
    given: PixelRegion
    """What there was room in; kept, so that no other region gets its identity."""


class WindowList:
    """The windows from front to back, as the chain of records in guest memory has them.

    Attributes:
        opened: what is kept of each, by address; windows leave it when they are closed.
    """

    def __init__(
        self,
        host: Host,
        memory: MemoryManager,
        regions: RegionHandles,
        quickdraw: QuickDraw,
        own: WindowDefinitions,
    ) -> None:
        self.guest = host.guest
        self._host = host
        self._memory = memory
        self._regions = regions
        self._quickdraw = quickdraw
        self._own = own
        self.opened: dict[int, OpenWindow] = {}
        self._covered: dict[tuple[int, PixelRegion, PixelRegion], _Covered] = {}

    @property
    def desktop(self) -> PixelRegion:
        """Where windows can be: GrayRgn, the screen without the menu bar.

        Games add the menu bar to it, to have the whole screen.

        Raises:
            MisuseError: the program has put there what is no region.
        """
        handle = self.guest.u32(LowMemory.GRAY_REGION)
        return self._regions.region(handle) if handle else EMPTY

    # -- the chain of records ----------------------------------------------------------------------

    def all(self) -> list[int]:
        """Every window, visible or not, front to back.

        Raises:
            GuestStopped: the program has destroyed the list.
        """
        windows: list[int] = []
        window = self.guest.u32(LowMemory.WINDOW_LIST)
        while window:
            endless = len(windows) >= len(self.opened)
            if window not in self.opened or endless:
                before = f"after the window at 0x{windows[-1]:x}" if windows else "at its beginning"
                problem = "it leads in a circle" if endless else f"no window is at 0x{window:x}"
                raise self._host.stopped(
                    f"the window list is broken {before}: {problem}; "
                    "a window record was overwritten or its memory disposed of"
                )
            windows.append(window)
            window = WindowRecord(self.guest, window).nextWindow
        return windows

    def relink(self, windows: list[int]) -> None:
        """Make the chain run through these windows in their order."""
        place = LowMemory.WINDOW_LIST
        for window in windows:
            self.guest.put32(place, window)
            place = WindowRecord(self.guest, window).address_of(WindowRecord.nextWindow)
        self.guest.put32(place, 0)

    def place(self, window: int, behind: int) -> None:
        """Put a window, new or not, into the chain.

        Args:
            window: the window.
            behind: the window in front of it; 0 for the back, 0xFFFFFFFF for the front.
        """
        others = [other for other in self.all() if other != window]
        if behind == 0xFFFFFFFF:
            others.insert(0, window)
        elif behind in others:
            others.insert(others.index(behind) + 1, window)
        else:
            others.append(window)
        self.relink(others)

    def visible(self) -> list[int]:
        """The visible windows, front to back."""
        return [window for window in self.all() if WindowRecord(self.guest, window).visible]

    def frame(self, window: int) -> Frame:
        """A window's frame as it is now to be drawn."""
        record = WindowRecord(self.guest, window)
        kind = self.opened[window].kind
        content = global_rectangle(self.guest, window)
        return Frame(
            kind=kind,
            content=content,
            title=self.title(window),
            highlighted=record.hilited,
            go_away=record.goAwayFlag,
            zoomed=kind.can_zoom and content == self.standard_state(window),
        )

    def part_at(self, window: int, place: Point) -> int:
        """The part code, as FindWindow gives it, of a global point of a window's structure."""
        if self._own.draws(window):
            return self._own.hit(window, self.opened[window].kind.definition, place)
        return self.frame(window).part_at(place.h, place.v)

    def title(self, window: int) -> bytes:
        """A window's title, MacRoman."""
        handle = WindowRecord(self.guest, window).titleHandle
        return self.guest.pascal_string(self._memory.address(handle)) if handle else b""

    def standard_state(self, window: int) -> Rectangle | None:
        """The content to which a window is zoomed out, global; None if it has no zoom box."""
        handle = WindowRecord(self.guest, window).dataHandle
        if not handle or not self.opened[window].kind.can_zoom:
            return None
        return WStateData(self.guest, self._memory.address(handle)).stdState

    # -- regions -----------------------------------------------------------------------------------

    def structure(self, window: int) -> PixelRegion:
        """All pixels of a window, covered or not; empty while it is hidden."""
        return self._region(window, WindowRecord.strucRgn)

    def content(self, window: int) -> PixelRegion:
        """The pixels of its content, covered or not; empty while it is hidden."""
        return self._region(window, WindowRecord.contRgn)

    def update(self, window: int) -> PixelRegion:
        """The pixels of its content that the program is still to draw."""
        return self._region(window, WindowRecord.updateRgn)

    def set_update(self, window: int, region: PixelRegion) -> None:
        """Store `update`."""
        self._set(window, WindowRecord.updateRgn, region)

    def _region(self, window: int, field: RecordField[int]) -> PixelRegion:
        return self._regions.region(WindowRecord(self.guest, window)[field])

    def _set(self, window: int, field: RecordField[int], region: PixelRegion) -> None:
        self._regions.set_region(WindowRecord(self.guest, window)[field], region)

    def measure(self, window: int) -> None:
        """Bring a window's structure and content region up to date."""
        structure = content = EMPTY
        kind = self.opened[window].kind
        if WindowRecord(self.guest, window).visible:
            if self._own.draws(window):
                self._own.calculate_regions(window, kind.definition)
                return
            where = global_rectangle(self.guest, window)
            structure, content = kind.structure(where), kind.content(where)
        self._set(window, WindowRecord.strucRgn, structure)
        self._set(window, WindowRecord.contRgn, content)

    def exposed(self) -> _Exposed:
        """What can be seen now."""
        left = self.desktop
        structures: dict[int, PixelRegion] = {}
        contents: dict[int, PixelRegion] = {}
        for window in self.visible():
            covered = self._cover(left, self.structure(window), self.content(window))
            structures[window] = covered.structure
            contents[window] = covered.content
            left = covered.left
        return _Exposed(structures, contents, left)

    def _cover(
        self, uncovered: PixelRegion, structure: PixelRegion, content: PixelRegion
    ) -> _Covered:
        """Put a window on what the windows before it have left."""
        # The same windows are asked for again and again, and most are rectangles; what is left
        # over may be very ragged, so that only which region it is counts.
        key = id(uncovered), structure, content
        covered = self._covered.get(key)
        if covered is None:
            rest = uncovered.difference(structure)
            covered = _Covered(
                structure=uncovered.intersect(structure),
                content=uncovered.intersect(content),
                left=uncovered if rest == uncovered else rest,
                given=uncovered,
            )
            if len(self._covered) >= _KEPT:
                self._covered.clear()
            self._covered[key] = covered
        return covered

    def set_visible_regions(self, exposed: _Exposed | None = None) -> None:
        """Bring every port's visible region up to date.

        Args:
            exposed: what can be seen, if the caller knows.
        """
        contents = (exposed or self.exposed()).contents
        for window in self.all():
            self._set_visible_region(window, contents.get(window, EMPTY))

    def _set_visible_region(self, window: int, seen: PixelRegion) -> None:
        dh, dv = local_origin(self.guest, window)
        region = seen.offset(dh, dv)
        opened = self.opened[window]
        if opened.hidden_by_update is None:
            self._quickdraw.clip_visible(window, region)
        else:
            opened.hidden_by_update = region

    # -- changing what can be seen -----------------------------------------------------------------

    @contextmanager
    def rearranging(self, update: bool = True) -> Iterator[None]:
        """Change windows' places, order or visibility; what is uncovered is then drawn.

        Args:
            update: whether the program is asked to draw what is uncovered of contents.
        """
        before = self.exposed()
        yield
        after = self.exposed()
        self.set_visible_regions(after)
        self.paint_desktop(after.desktop.difference(before.desktop))
        for window, seen in reversed(after.structures.items()):
            if seen == before.structures.get(window) and (
                after.contents[window] == before.contents[window]
            ):
                continue
            new = seen.difference(before.structures.get(window, EMPTY))
            self.paint_frame(window, new)
            content = after.contents[window]
            uncovered = content.difference(before.contents.get(window, EMPTY))
            self.blank(window, uncovered)
            if update:
                self.set_update(window, self.update(window).union(uncovered))
            # What has been covered since need not be drawn.
            self.set_update(window, self.update(window).intersect(content))

    def paint_frame(self, window: int, part: PixelRegion) -> None:
        """Draw the part of a window's frame that lies in a region."""
        if part.empty:
            return
        if self._own.draws(window):
            self._own.draw(window, self.opened[window].kind.definition, part)
        else:
            self.frame(window).draw(Painter.on_screen(self._quickdraw, part))

    def paint_whole_frame(self, window: int) -> None:
        """Draw all that can be seen of a window's frame."""
        seen = self.exposed().structures.get(window)
        if seen is not None:
            self.paint_frame(window, seen)

    def blank(self, window: int, part: PixelRegion) -> None:
        """Fill a part of a window's content, global, with its background."""
        if not part.empty:
            quickdraw = self._quickdraw
            dh, dv = local_origin(self.guest, window)
            local = quickdraw.screen.moved_to(quickdraw.screen.bounds.offset(dh, dv))
            part = part.offset(dh, dv)
            Painter(quickdraw, local, part).blank(part, quickdraw.background(window))

    def paint_desktop(self, part: PixelRegion) -> None:
        """Fill a part of the screen with the desktop's pattern."""
        pattern = self.guest.read(DESK_PATTERN, 8)
        Painter.on_screen(self._quickdraw, self.desktop).fill(part, pattern)
