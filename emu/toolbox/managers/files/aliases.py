"""The Alias Manager: records that find a file again when it was moved or renamed.

An alias of this volume leads to its file by folder and name, or else by the file's number. An alias
of another disk, as a program may have in its resources, leads nowhere. No file of this volume is an
alias file of the Finder's.
Source: Inside Macintosh: Files, chapter 4 "Alias Manager".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import File, Folder, Node, folded
from emu.toolbox.managers.files.parameter_block import error_code
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.files import FSSpec
from emu.toolbox.records.finder import AliasRecord
from emu.toolbox.records.results import ResultCode

_VERSION, _NO_LEVELS = 2, -1
_END = bytes.fromhex("ffff0000")
"""The item that ends an alias record."""

_VOLUME, _NAME = -1, 0
"""What GetAliasInfo tells; 1 is the folder that the file is in, 2 the one around it, and so on."""

_NETWORK = (-3, -2)
"""Zone and server, of which a disk of this machine has none."""


class AliasManager(Manager):
    """Makes aliases, and finds what they were made for."""

    _files: FileManager
    _memory: MemoryManager

    # -- making ------------------------------------------------------------------------------------

    def _describe(self, target: int) -> bytes:
        """The record of the file or folder in a specification."""
        return self._description(self._files.find(*self._files.spec(target)))

    def _description(self, node: Node) -> bytes:
        files = self._files
        record, root = AliasRecord.copied(), files.volume.root
        record.aliasSize = AliasRecord.size + len(_END)
        record.version = _VERSION
        record.volumeName, record.volumeCreated = files.volume.name[:27], root.created
        record.volumeSignature = b"BD"
        record.levelsFrom = record.levelsTo = _NO_LEVELS
        record.kind = int(isinstance(node, Folder))
        record.parentID, record.fileName = files.parent_id(node), node.name
        record.fileNumber, record.fileCreated = node.id, node.created
        if isinstance(node, File):
            record.fileType, record.fileCreator = node.finder[:4], node.finder[4:8]
        return record.read() + _END

    @error_code("FUNCTION NewAlias (fromFile: Ptr; target: FSSpec; VAR alias: Handle): OSErr")
    def new(self, source: int, target: int, result: int) -> None:
        """Make an alias of a file or folder that is there."""
        self.guest.put32(result, 0)
        handle = self._memory.handle_from(self._describe(target))
        if not handle:
            raise FileError(ResultCode.memFullErr)
        self.guest.put32(result, handle)

    @error_code("FUNCTION NewAliasMinimal (target: FSSpec; VAR alias: Handle): OSErr")
    def new_minimal(self, target: int, result: int) -> None:
        """The same; the record is no smaller."""
        self.new(0, target, result)

    @error_code(
        "FUNCTION NewAliasMinimalFromFullPath (fullPathLength: INTEGER; fullPath: Ptr; "
        "zoneName: StringPtr; serverName: StringPtr; VAR alias: Handle): OSErr"
    )
    def new_from_path(self, length: int, path: int, zone: int, server: int, result: int) -> None:
        """Make an alias of a file by its path; it need not be there, but its folder must be."""
        self.guest.put32(result, 0)
        folder, _, name = self.guest.read(path, max(length, 0)).rpartition(b":")
        parent = self._files.find(0, 0, folder + b":")
        description = self._description(parent)
        if name:
            record = AliasRecord.copied(description)
            record.kind, record.parentID, record.fileName = 0, parent.id, name[:63]
            record.fileNumber = 0
            description = record.read() + _END
        self.guest.put32(result, self._memory.handle_from(description))

    @error_code(
        "FUNCTION UpdateAlias (fromFile: Ptr; target: FSSpec; alias: Handle; "
        "VAR wasChanged: BOOLEAN): OSErr"
    )
    def update(self, source: int, target: int, alias: int, changed: int) -> None:
        """Have an alias stand for another file; the program's four characters in it stay."""
        before = self._memory.contents(alias)
        after = before[:4] + self._describe(target)[4:]
        self.guest.put8(changed, before != after)
        self._memory.set_contents(alias, after)

    # -- finding -----------------------------------------------------------------------------------

    def _record(self, alias: int) -> AliasRecord:
        contents = self._memory.contents(alias)
        record = AliasRecord.copied(contents)
        if len(contents) < AliasRecord.size or record.version != _VERSION:
            raise FileError(ResultCode.paramErr)
        return record

    def _target(self, record: AliasRecord) -> Node:
        volume = self._files.volume
        if folded(record.volumeName) != folded(volume.name):
            raise FileError(ResultCode.nsvErr)
        parent = volume.node(record.parentID)
        if isinstance(parent, Folder) and (node := parent.children.get(folded(record.fileName))):
            return node
        moved = volume.node(record.fileNumber)
        if moved is None:
            raise FileError(ResultCode.fnfErr if parent else ResultCode.dirNFErr)
        return moved

    def _store(self, spec: int, parent: int, name: bytes) -> None:
        target = FSSpec(self.guest, spec)
        target.vRefNum, target.parID, target.name = VOLUME_REFERENCE, parent, name

    @error_code(
        "FUNCTION ResolveAlias (fromFile: Ptr; alias: Handle; VAR target: FSSpec; "
        "VAR wasChanged: BOOLEAN): OSErr"
    )
    def resolve(self, source: int, alias: int, target: int, changed: int) -> None:
        """Find what an alias was made for, and bring the alias up to date if it has moved."""
        self.guest.put8(changed, 0)
        record = self._record(alias)
        try:
            node = self._target(record)
        except FileError as error:
            if error.code is ResultCode.fnfErr:
                self._store(target, record.parentID, record.fileName)
            raise
        self._store(target, self._files.parent_id(node), node.name)
        self.update(source, target, alias, changed)

    @error_code(
        "FUNCTION MatchAlias (fromFile: Ptr; rulesMask: LONGINT; alias: Handle; "
        "VAR aliasCount: INTEGER; aliasList: Ptr; VAR needsUpdate: BOOLEAN; aliasFilter: ProcPtr; "
        "yourDataPtr: Ptr): OSErr"
    )
    def match(
        self,
        source: int,
        rules: int,
        alias: int,
        count: int,
        count_address: int,
        needs_update: int,
        choose: int,
        data: int,
    ) -> None:
        """List what an alias may stand for: the one file, for which no filter is asked."""
        room = self.guest.i16(count)
        self.guest.put16(count, 0)
        record = self._record(alias)
        node = self._target(record)
        place = self._files.parent_id(node), node.name
        self.guest.put8(needs_update, (record.parentID, record.fileName) != place)
        if room > 0:
            self._store(count_address, *place)
            self.guest.put16(count, 1)

    @error_code(
        "FUNCTION FollowFinderAlias (fromFile: Ptr; alias: Handle; logon: BOOLEAN; "
        "VAR target: FSSpec; VAR wasChanged: BOOLEAN): OSErr",
        trap=0xA823,
        selector=("D0", 0xF),
    )
    def follow(self, source: int, alias: int, logon: bool, target: int, changed: int) -> None:
        """Find what an alias of the Finder's was made for; the alias stays as it is."""
        self.guest.put8(changed, 0)
        node = self._target(self._record(alias))
        self._store(target, self._files.parent_id(node), node.name)

    @error_code("FUNCTION GetAliasInfo (alias: Handle; index: INTEGER; theString: Str63): OSErr")
    def information(self, alias: int, index: int, result: int) -> None:
        """The name of an alias's volume, of its file, or of a folder that the file is in."""
        record = self._record(alias)
        if index in _NETWORK:
            name = b""
        elif index == _VOLUME:
            name = record.volumeName
        elif index == _NAME:
            name = record.fileName
        elif index > 0:
            place = self._target(record).parent
            for _ in range(index - 1):
                place = place.parent if place is not None else None
            name = place.name if place is not None else b""
        else:
            raise FileError(ResultCode.paramErr)
        self.guest.put_pascal_string(result, name[:63])

    @error_code(
        "FUNCTION ResolveAliasFile (VAR theSpec: FSSpec; resolveAliasChains: BOOLEAN; "
        "VAR targetIsFolder,wasAliased: BOOLEAN): OSErr"
    )
    def resolve_file(self, spec: int, chains: bool, is_folder: int, aliased: int) -> None:
        """Find what a file stands for: itself, since none is an alias."""
        node = self._files.find(*self._files.spec(spec))
        self.guest.put8(is_folder, isinstance(node, Folder))
        self.guest.put8(aliased, 0)
