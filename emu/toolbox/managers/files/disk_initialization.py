"""The Disk Initialization Package: it formats disks, of which there is one and none is inserted.

Source: Inside Macintosh: Files, chapter 5.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.files.manager import DRIVE
from emu.toolbox.records.results import ResultCode

_EJECTED = 1
"""What DIBadMount returns if the user will have the disk back."""


class DiskInitialization(Manager):
    """Answers for disks that cannot be read or are to be made empty."""

    title = "Disk Initialization Package"

    @routine("PROCEDURE DILoad")
    def di_load(self) -> None:
        """Load the package, which is always there."""

    @routine("PROCEDURE DIUnload")
    def di_unload(self) -> None:
        """Release the package."""

    @routine("FUNCTION DIBadMount (where: Point; evtMessage: LONGINT): INTEGER")
    def di_bad_mount(self, where: Point, message: int) -> int:
        """Ask what to do with a disk that cannot be read: the user takes it out."""
        return _EJECTED

    @routine("FUNCTION DIFormat (drvNum: INTEGER): OSErr")
    def di_format(self, drive: int) -> int:
        """Format a disk: refused, since the only one is the program's own."""
        return ResultCode.wPrErr if drive == DRIVE else ResultCode.nsDrvErr

    @routine("FUNCTION DIVerify (drvNum: INTEGER): OSErr")
    def di_verify(self, drive: int) -> int:
        """Check that a disk was formatted well."""
        return 0 if drive == DRIVE else ResultCode.nsDrvErr

    @routine("FUNCTION DIZero (drvNum: INTEGER; volName: Str255): OSErr")
    def di_zero(self, drive: int, name: int) -> int:
        """Put an empty volume on a disk: refused likewise."""
        return self.di_format(drive)
