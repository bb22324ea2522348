"""Launch and Chain: a program that starts another one.

Nothing is started here: macproof runs one program. A program that only looks whether there is
another one is answered as a Mac with no memory to spare answers.
Sources: Inside Macintosh II, chapter "The Segment Loader"; Inside Macintosh: Processes, chapter 2
(LaunchParamBlockRec, LaunchApplication).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.nodes import Node
from emu.toolbox.records.fields import int16, int32, pointer, uint16
from emu.toolbox.records.files import FSSpec
from emu.toolbox.records.record import Record
from emu.toolbox.records.results import ResultCode

_EXTENDED_BLOCK = 0x4C43
"""'LC': the parameter block is that of System 7, not only a name and a word."""

_CONTINUE = 0x4000


class LaunchParamBlock(Record):
    """What A0 leads to, as far as it is read; the first field is the name in the old form."""

    name = pointer()
    reserved2 = int16()
    launchBlockID = uint16()
    launchEPBLength = int32()
    launchFileFlags = uint16()
    launchControlFlags = uint16()
    launchAppSpec = pointer()


class LaunchManager(Manager):
    """Finds the program that is to be launched, and says what becomes of that."""

    title = "Process Manager"

    _files: FileManager

    @routine("FUNCTION LaunchApplication (LaunchParams: Ptr): OSErr")
    def launch_application(self, block: int) -> int:
        """Launch a program: an error if it is not there, or if both are to run."""
        parameters = LaunchParamBlock(self.guest, block)
        if parameters.launchBlockID != _EXTENDED_BLOCK:
            return self._replace(0, 0, parameters.name)
        spec = parameters.launchAppSpec
        volume, directory, _ = self._files.spec(spec)
        name = spec + FSSpec.name.offset
        if parameters.launchControlFlags & _CONTINUE:
            found = self._find(volume, directory, name)
            return found if isinstance(found, int) else ResultCode.memFullErr
        return self._replace(volume, directory, name)

    @routine(
        "FUNCTION Chain (LaunchParams: Ptr): OSErr",
        trap=0xA9F3,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def chain(self, block: int) -> int:
        """Start another program in the place of this one, with the same heap."""
        return self._replace(0, 0, LaunchParamBlock(self.guest, block).name)

    def _find(self, volume: int, directory: int, name: int) -> Node | int:
        """The file with the name at an address; an error code if there is none."""
        try:
            return self._files.find(volume, directory, self.guest.pascal_string(name))
        except FileError as error:
            return int(error.code)

    def _replace(self, volume: int, directory: int, name: int) -> int:
        """End the run, since another program would go on; an error if that is not there."""
        found = self._find(volume, directory, name)
        if isinstance(found, int):
            return found
        shown = self.guest.pascal_string(name).decode("mac_roman")
        raise self.host.stopped(
            f"the program has launched {shown!r} in its own place, so that it has ended: macproof "
            "runs one program only"
        )
