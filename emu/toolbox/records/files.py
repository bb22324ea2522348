"""The records of the File Manager and of the Standard File Package.

A parameter block is declared once for each kind of call, as the File Manager has it.
Sources: Inside Macintosh IV, chapter "The File Manager"; Inside Macintosh: Files, "Summary of the
File Manager".
"""

from __future__ import annotations

from emu.toolbox.records.fields import (
    array,
    boolean,
    data,
    four_characters,
    int8,
    int16,
    int32,
    nested,
    point,
    pointer,
    procedure,
    rect,
    string,
    string_pointer,
    uint8,
    uint16,
    uint32,
)
from emu.toolbox.records.record import Record


class FInfo(Record):
    """What the Finder knows of a file (II, p. II-84)."""

    fdType = four_characters()
    fdCreator = four_characters()
    fdFlags = uint16()
    fdLocation = point()
    fdFldr = int16()


class FXInfo(Record):
    """What the Finder also knows of a file (Toolbox Essentials, p. 7-48)."""

    fdIconID = int16()
    fdUnused = array(int16(), 3)
    fdScript = int8()
    fdXFlags = int8()
    fdComment = int16()
    fdPutAway = int32()


class DInfo(Record):
    """What the Finder knows of a folder (Toolbox Essentials, p. 7-50)."""

    frRect = rect()
    frFlags = uint16()
    frLocation = point()
    frView = int16()


class DXInfo(Record):
    """What the Finder also knows of a folder (Toolbox Essentials, p. 7-50)."""

    frScroll = point()
    frOpenChain = int32()
    frScript = int8()
    frXFlags = int8()
    frComment = int16()
    frPutAway = int32()


class FSSpec(Record):
    """A file or folder by its name in a directory (Files, p. 2-86)."""

    vRefNum = int16()
    parID = int32()
    name = string(63)


class DrvQEl(Record):
    """A drive in the drive queue (Files, chapter 2); its size is in blocks of 512 bytes."""

    qLink = pointer("QElem")
    qType = int16()
    dQDrive = int16()
    dQRefNum = int16()
    dQFSID = int16()
    dQDrvSz = uint16()
    dQDrvSz2 = uint16()


class VCB(Record):
    """A volume in the queue of volumes (Files, chapter 2); more fields of the system's follow."""

    qLink = pointer("QElem")
    qType = int16()
    vcbFlags = int16()
    vcbSigWord = uint16()
    vcbCrDate = uint32()
    vcbLsMod = uint32()
    vcbAtrb = int16()
    vcbNmFls = uint16()
    vcbVBMSt = int16()
    vcbAllocPtr = int16()
    vcbNmAlBlks = uint16()
    vcbAlBlkSiz = int32()
    vcbClpSiz = int32()
    vcbAlBlSt = int16()
    vcbNxtCNID = int32()
    vcbFreeBks = uint16()
    vcbVN = string(27)
    vcbDrvNum = int16()
    vcbDRefNum = int16()
    vcbFSID = int16()
    vcbVRefNum = int16()


class FCB(Record):
    """A file control block: an open fork (IV, p. IV-180)."""

    fcbFlNum = int32()
    fcbMdRByt = uint8()
    fcbTypByt = uint8()
    fcbSBlk = uint16()
    fcbEOF = int32()
    fcbPLen = int32()
    fcbCrPs = int32()
    fcbVPtr = pointer("VCB")
    fcbBfAdr = int32()
    fcbFlPos = int16()
    fcbClmpSize = int32()
    fcbBTCBPtr = int32()
    fcbExtRec = array(int16(), 6)
    fcbFType = four_characters()
    fcbCatPos = int32()
    fcbDirID = int32()
    fcbCName = string(31)


class ParamBlockHeader(Record):
    """What all parameter blocks begin with (IV, p. IV-117)."""

    qLink = pointer("QElem")
    qType = int16()
    ioTrap = uint16("short")
    ioCmdAddr = pointer()
    ioCompletion = procedure()
    ioResult = int16("OSErr")
    ioNamePtr = string_pointer()
    ioVRefNum = int16()


class IOParam(ParamBlockHeader):
    """For reading, writing, and the marks and ends of open files (Files, p. 2-87)."""

    ioRefNum = int16()
    ioVersNum = int8()
    ioPermssn = uint8("SignedByte")
    ioMisc = uint32("Ptr")
    ioBuffer = pointer()
    ioReqCount = int32()
    ioActCount = int32()
    ioPosMode = uint16("short")
    ioPosOffset = int32()


class CntrlParam(ParamBlockHeader):
    """For commands to drivers (II, p. II-181); csParam holds what a command needs."""

    ioCRefNum = int16()
    csCode = int16()
    csParam = array(int16(), 11)


class _FileHeader(ParamBlockHeader):
    """What the blocks about a file or a folder have in common."""

    ioFRefNum = int16()
    ioFVersNum = int8()
    filler1 = int8()
    ioFDirIndex = int16()
    ioFlAttrib = uint8()


class FileParam(_FileHeader):
    """For creating, deleting and renaming files, and their Finder information (IV, p. IV-117)."""

    ioFlVersNum = uint8()
    ioFlFndrInfo = nested(FInfo)
    ioFlNum = uint32()
    ioFlStBlk = uint16()
    ioFlLgLen = int32()
    ioFlPyLen = int32()
    ioFlRStBlk = uint16()
    ioFlRLgLen = int32()
    ioFlRPyLen = int32()
    ioFlCrDat = uint32()
    ioFlMdDat = uint32()


class HFileParam(_FileHeader):
    """A `FileParam` with a directory (Files, p. 2-88)."""

    ioFlVersNum = uint8()
    ioFlFndrInfo = nested(FInfo)
    ioDirID = int32()
    ioFlStBlk = uint16()
    ioFlLgLen = int32()
    ioFlPyLen = int32()
    ioFlRStBlk = uint16()
    ioFlRLgLen = int32()
    ioFlRPyLen = int32()
    ioFlCrDat = uint32()
    ioFlMdDat = uint32()


class HIOParam(IOParam):
    """An `IOParam` of a call that also reads the directory of an `HFileParam` (Files, p. 2-87)."""


class HFileInfo(HFileParam):
    """What PBGetCatInfo tells of a file (Files, p. 2-90)."""

    ioFlBkDat = uint32()
    ioFlXFndrInfo = data(16, "FXInfo")
    ioFlParID = int32()
    ioFlClpSiz = int32()


class DirInfo(_FileHeader):
    """What PBGetCatInfo tells of a folder (Files, p. 2-90)."""

    ioACUser = uint8()
    ioDrUsrWds = data(16, "DInfo")
    ioDrDirID = int32()
    ioDrNmFls = uint16()
    filler3 = array(int16(), 9)
    ioDrCrDat = uint32()
    ioDrMdDat = uint32()
    ioDrBkDat = uint32()
    ioDrFndrInfo = data(16, "DXInfo")
    ioDrParID = int32()


class CMovePBRec(ParamBlockHeader):
    """For PBCatMove (Files, p. 2-91)."""

    filler1 = int32()
    ioNewName = string_pointer()
    filler2 = int32()
    ioNewDirID = int32()
    filler3 = array(int32(), 2)
    ioDirID = int32()


class HVolumeParam(ParamBlockHeader):
    """What PBHGetVInfo tells of a volume; PBGetVInfo ends with ioVFrBlk (Files, p. 2-89)."""

    filler2 = int32()
    ioVolIndex = int16()
    ioVCrDate = uint32()
    ioVLsMod = uint32()
    ioVAtrb = uint16("short")
    ioVNmFls = uint16()
    ioVBitMap = uint16("short")
    ioVAllocPtr = uint16("short")
    ioVNmAlBlks = uint16()
    ioVAlBlkSiz = int32()
    ioVClpSiz = int32()
    ioAlBlSt = uint16("short")
    ioVNxtCNID = int32()
    ioVFrBlk = uint16()
    ioVSigWord = uint16()
    ioVDrvInfo = int16()
    ioVDRefNum = int16()
    ioVFSID = int16()
    ioVBkUp = uint32()
    ioVSeqNum = uint16("short")
    ioVWrCnt = int32()
    ioVFilCnt = int32()
    ioVDirCnt = int32()
    ioVFndrInfo = array(int32(), 8)


class WDPBRec(ParamBlockHeader):
    """About a working directory (Files, p. 2-92)."""

    filler1 = int16()
    ioWDIndex = int16()
    ioWDProcID = int32()
    ioWDVRefNum = int16()
    filler2 = array(int16(), 7)
    ioWDDirID = int32()


class FCBPBRec(ParamBlockHeader):
    """About an open file (Files, p. 2-92)."""

    ioRefNum = int16()
    filler = int16()
    ioFCBIndx = int16()
    filler1 = int16()
    ioFCBFlNm = int32()
    ioFCBFlags = uint16("short")
    ioFCBStBlk = uint16()
    ioFCBEOF = int32()
    ioFCBPLen = int32()
    ioFCBCrPs = int32()
    ioFCBVRefNum = int16()
    ioFCBClpSiz = int32()
    ioFCBParID = int32()


class FIDParam(ParamBlockHeader):
    """About a file by its number (Files, chapter 2)."""

    filler14 = int32()
    ioDestNamePtr = string_pointer()
    filler15 = int32()
    ioDestDirID = int32()
    filler16 = int32()
    filler17 = int32()
    ioSrcDirID = int32()
    filler18 = int16()
    ioFileID = int32()


class SFReply(Record):
    """What SFGetFile and SFPutFile answer (I, p. I-519; Files, p. 3-42)."""

    good = boolean()
    copy = boolean()
    fType = four_characters()
    vRefNum = int16()
    version = int16()
    fName = string(63)


class StandardFileReply(Record):
    """What StandardGetFile and StandardPutFile answer (Files, chapter 3)."""

    sfGood = boolean()
    sfReplacing = boolean()
    sfType = four_characters()
    sfFile = nested(FSSpec)
    sfScript = int16()
    sfFlags = int16()
    sfIsFolder = boolean()
    sfIsVolume = boolean()
    sfReserved1 = int32()
    sfReserved2 = int16()
