"""File Manager calls on volumes and working directories, with parameter blocks.

Source: Inside Macintosh: Files, chapter 2, "Volume Access Routines" and "Manipulating Working
Directories".
"""

from __future__ import annotations

from emu.toolbox.manager import Manager
from emu.toolbox.managers.files.errors import FileCode, FileError
from emu.toolbox.managers.files.manager import DRIVE, VOLUME_REFERENCE
from emu.toolbox.managers.files.parameter_block import HIERARCHICAL, At, block_call
from emu.toolbox.managers.files.volume import CAPACITY, File, Folder, folded

BLOCK_SIZE = 2048
_VOLUME_PARAMETERS_SIZE = 14


class FileVolumes(Manager):
    """The one volume, its default folder, and working directories."""

    title = "File Manager"
    plumbing = True

    def free_bytes(self) -> int:
        """Bytes there is still room for, in whole blocks."""
        free: int = CAPACITY - self.mac.files.volume.used
        return free // BLOCK_SIZE * BLOCK_SIZE

    def require_volume(self, name: bytes, reference: int) -> None:
        """Make sure that a name, or else a reference, is our volume's.

        Raises:
            FileError: it is not.
        """
        files = self.mac.files
        if name:
            name = name.split(b":")[0] if not name.startswith(b":") else b""
        if name:
            if folded(name) != folded(files.volume.name):
                raise FileError(FileCode.NO_SUCH_VOLUME)
        else:
            files.folder_of(reference, 0)

    def _require(self, block: int) -> None:
        guest = self.guest
        name = guest.pascal_string(guest.u32(block + At.NAME))
        self.require_volume(name, guest.i16(block + At.VOLUME))

    # -- volumes -----------------------------------------------------------------------------------

    @block_call("GetVInfo", 0xA007, hierarchical=True)
    def get_information(self, block: int, trap: int) -> None:
        """What there is to know about the volume."""
        guest, files = self.guest, self.mac.files
        index = guest.i16(block + At.INDEX)
        name = guest.u32(block + At.NAME)
        if index > 1:
            raise FileError(FileCode.NO_SUCH_VOLUME)
        if index < 0:
            self._require(block)
        elif index == 0:
            files.folder_of(guest.i16(block + At.VOLUME), 0)
        if name:
            guest.put_pascal_string(name, files.volume.name)
        root = files.volume.root
        children = root.children.values()
        guest.put16(block + At.VOLUME, VOLUME_REFERENCE)
        guest.put32(block + 30, root.created)
        guest.put32(block + 34, root.modified)
        guest.put16(block + 38, 0)
        guest.put16(block + 40, sum(isinstance(node, File) for node in children))
        guest.put16(block + 42, 0)
        guest.put16(block + 44, 0)
        guest.put16(block + 46, min(CAPACITY // BLOCK_SIZE, 0xFFFF))
        guest.put32(block + 48, BLOCK_SIZE)
        guest.put32(block + 52, BLOCK_SIZE)
        guest.put16(block + 56, 0)
        guest.put32(block + 58, files.volume.next_id)
        guest.put16(block + 62, self.free_bytes() // BLOCK_SIZE)
        if not trap & HIERARCHICAL:
            return
        nodes = list(files.volume.nodes())
        guest.put16(block + 64, 0x4244)  # 'BD': an HFS volume
        guest.put16(block + 66, DRIVE)
        guest.put16(block + 68, -5)  # the driver of a hard disk
        guest.write(block + 70, bytes(12))
        guest.put32(block + 82, sum(isinstance(node, File) for node in nodes))
        guest.put32(block + 86, sum(isinstance(node, Folder) for node in nodes) - 1)
        guest.write(block + 90, bytes(32))

    @block_call("SetVInfo", 0xA260, selector=11)
    def set_information(self, block: int, trap: int) -> None:
        """Change the volume's dates."""
        self._require(block)
        root = self.mac.files.volume.root
        root.created, root.modified = self.guest.u32(block + 30), self.guest.u32(block + 34)

    @block_call("HGetVolParms", 0xA260, selector=0x30)
    def get_parameters(self, block: int, trap: int) -> None:
        """What the volume can do: nothing but what every volume can."""
        self._require(block)
        size = min(self.guest.u32(block + At.REQUESTED), _VOLUME_PARAMETERS_SIZE)
        parameters = (1).to_bytes(2, "big").ljust(_VOLUME_PARAMETERS_SIZE, b"\0")
        self.guest.write(self.guest.u32(block + At.BUFFER), parameters[:size])
        self.guest.put32(block + At.ACTUAL, size)

    @block_call("FlushVol", 0xA013)
    def flush(self, block: int, trap: int) -> None:
        """Write everything that has changed."""
        self._require(block)
        self.mac.files.flush()

    @block_call("GetVol", 0xA014, hierarchical=True)
    def get_default(self, block: int, trap: int) -> None:
        """The default volume and folder."""
        guest, files = self.guest, self.mac.files
        name = guest.u32(block + At.NAME)
        if name:
            guest.put_pascal_string(name, files.volume.name)
        reference, directory = files.reference_of_default()
        guest.put16(block + At.VOLUME, reference)
        if trap & HIERARCHICAL:
            guest.put32(block + At.WORKING_PROCESS, 0)
            guest.put16(block + At.WORKING_VOLUME, VOLUME_REFERENCE)
            guest.put32(block + At.WORKING_DIRECTORY, directory)

    @block_call("SetVol", 0xA015, hierarchical=True)
    def set_default(self, block: int, trap: int) -> None:
        """Choose the default volume and folder."""
        guest, files = self.guest, self.mac.files
        reference = guest.i16(block + At.VOLUME)
        name = guest.pascal_string(guest.u32(block + At.NAME))
        if trap & HIERARCHICAL:
            directory = guest.i32(block + At.WORKING_DIRECTORY)
            node = files.find(reference, directory, name)
            if not isinstance(node, Folder):
                raise FileError(FileCode.FOLDER_NOT_FOUND)
            files.set_default(VOLUME_REFERENCE if directory or name else reference, node)
        elif name:
            self.require_volume(name, 0)
            files.set_default(VOLUME_REFERENCE, files.volume.root)
        else:
            files.set_default(reference, files.folder_of(reference, 0))

    @block_call("UnmountVol", 0xA00E, asynchronous=False)
    def unmount(self, block: int, trap: int) -> None:
        """Refused: there are always open files on the volume that a program was started from."""
        self._require(block)
        raise FileError(FileCode.FILE_BUSY)

    @block_call("MountVol", 0xA00F, asynchronous=False)
    def mount(self, block: int, trap: int) -> None:
        """Refused: the only volume is mounted."""
        in_our_drive = self.guest.i16(block + At.VOLUME) == DRIVE
        raise FileError(FileCode.VOLUME_IN_USE if in_our_drive else FileCode.NO_SUCH_DRIVE)

    @block_call("Eject", 0xA017, asynchronous=False)
    def eject(self, block: int, trap: int) -> None:
        """Refused: see `unmount`."""
        self._require(block)
        raise FileError(FileCode.FILE_BUSY)

    @block_call("OffLine", 0xA035, asynchronous=False)
    def take_off_line(self, block: int, trap: int) -> None:
        """Refused: see `unmount`."""
        self._require(block)
        raise FileError(FileCode.FILE_BUSY)

    # -- working directories -----------------------------------------------------------------------

    @block_call("OpenWD", 0xA260, selector=1)
    def open_working_directory(self, block: int, trap: int) -> None:
        """A volume reference that stands for a folder."""
        guest, files = self.guest, self.mac.files
        name = guest.pascal_string(guest.u32(block + At.NAME))
        directory = guest.i32(block + At.WORKING_DIRECTORY)
        node = files.find(guest.i16(block + At.VOLUME), directory, name)
        if not isinstance(node, Folder):
            raise FileError(FileCode.FOLDER_NOT_FOUND)
        process = guest.i32(block + At.WORKING_PROCESS)
        guest.put16(block + At.VOLUME, files.open_working_directory(node, process))

    @block_call("CloseWD", 0xA260, selector=2)
    def close_working_directory(self, block: int, trap: int) -> None:
        """Give such a reference back; the volume's own reference is left as it is."""
        reference, files = self.guest.i16(block + At.VOLUME), self.mac.files
        files.folder_of(reference, 0)
        files.close_working_directory(reference)

    @block_call("GetWDInfo", 0xA260, selector=7)
    def get_working_directory(self, block: int, trap: int) -> None:
        """The folder that such a reference stands for, by reference or by counting."""
        guest, files = self.guest, self.mac.files
        reference = guest.i16(block + At.VOLUME)
        index = guest.i16(block + At.WORKING_INDEX)
        if index > 0:
            references = sorted(files.working)
            if index > len(references):
                raise FileError(FileCode.NO_SUCH_VOLUME)
            reference = references[index - 1]
            guest.put16(block + At.VOLUME, reference)
        folder, process = files.working_directory(reference)
        name = guest.u32(block + At.NAME)
        if name:
            guest.put_pascal_string(name, files.volume.name)
        guest.put32(block + At.WORKING_PROCESS, process)
        guest.put16(block + At.WORKING_VOLUME, VOLUME_REFERENCE)
        guest.put32(block + At.WORKING_DIRECTORY, folder.id)
