"""The records of the Alias Manager and of the Desktop Manager.

Sources: Inside Macintosh: Files, chapters 4 and 9. The inside of an alias record is Apple's own;
its form of version 2 is known from the alias files of the time.
"""

from __future__ import annotations

from emu.toolbox.records.fields import (
    data,
    four_characters,
    int8,
    int16,
    int32,
    pointer,
    string,
    uint16,
    uint32,
)
from emu.toolbox.records.files import ParamBlockHeader
from emu.toolbox.records.record import Record


class AliasRecord(Record):
    """What an alias keeps of the file or folder that it was made for; further items may follow."""

    userType = four_characters()
    aliasSize = uint16()
    version = int16()
    kind = int16()
    volumeName = string(27)
    volumeCreated = uint32()
    volumeSignature = data(2)
    volumeType = int16()
    parentID = int32()
    fileName = string(63)
    fileNumber = int32()
    fileCreated = uint32()
    fileType = four_characters()
    fileCreator = four_characters()
    levelsFrom = int16()
    levelsTo = int16()
    volumeAttributes = uint32()
    fileSystem = int16()
    reserved = data(10)


class DTPBRec(ParamBlockHeader):
    """About a volume's desktop database (Files, chapter 9)."""

    ioDTRefNum = int16()
    ioIndex = int16()
    ioTagInfo = int32()
    ioDTBuffer = pointer()
    ioDTReqCount = int32()
    ioDTActCount = int32()
    ioFiller1 = int8()
    ioIconType = int8()
    ioFiller2 = int16()
    ioDirID = int32()
    ioFileCreator = four_characters()
    ioFileType = four_characters()
    ioFiller3 = int32()
    ioDTLgLen = int32()
    ioDTPyLen = int32()
    ioFiller4 = data(28)
    ioAPPLParID = int32()
