/* Files.h: the File Manager. */

#ifndef MAC_FILES_H
#define MAC_FILES_H

#include <Types.h>
#include <Errors.h>
#include <OSUtils.h>
#include <MixedMode.h>

typedef UniversalProcPtr IOCompletionUPP;

#include "records/Files.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

/* ioPermssn: how a file is opened; the deny bits belong to shared volumes */

enum { fsCurPerm = 0, fsRdPerm, fsWrPerm, fsRdWrPerm, fsRdWrShPerm };
enum { fsRdAccessPerm = 1, fsWrAccessPerm = 2, fsRdDenyPerm = 0x10, fsWrDenyPerm = 0x20 };
enum { dmRdDenyMask = 32, dmWrDenyMask = 16, dmNone = 0, dmNoneDenyRd = 16, dmNoneDenyWr = 32,
       dmNoneDenyRdWr = 48, dmRd = 1, dmRdDenyRd = 17, dmRdDenyWr = 33, dmRdDenyRdWr = 49,
       dmWr = 2, dmWrDenyRd = 18, dmWrDenyWr = 34, dmWrDenyRdWr = 50, dmRdWr = 3,
       dmRdWrDenyRd = 19, dmRdWrDenyWr = 35, dmRdWrDenyRdWr = 51 };

/* ioPosMode: where the mark is put */

enum { fsAtMark = 0, fsFromStart, fsFromLEOF, fsFromMark };
enum { pleaseCacheBit = 4, pleaseCacheMask = 0x10, noCacheBit = 5, noCacheMask = 0x20,
       rdVerify = 64, rdVerifyMask = 64, rdVerifyBit = 6, newLineBit = 7, newLineMask = 0x80,
       newLineCharMask = 0xFF00 };

/* fdFlags, frFlags: what the Finder keeps */

enum
{
    fOnDesk = 1, fHasBundle = 8192, fInvisible = 16384, fTrash = -3, fDesktop = -2, fDisk = 0,
    kIsOnDesk = 0x0001, kColor = 0x000E, kColorReserved = 0x0010, kRequiresSwitchLaunch = 0x0020,
    kIsShared = 0x0040, kHasNoINITs = 0x0080, kHasBeenInited = 0x0100, kReserved = 0x0200,
    kHasCustomIcon = 0x0400, kIsStationery = 0x0800, kIsStationary = 0x0800,
    kNameLocked = 0x1000, kHasBundle = 0x2000, kIsInvisible = 0x4000, kIsAlias = 0x8000
};

/* ioFlAttrib, directories, volumes */

enum { ioDirFlg = 4, ioDirMask = 0x10, kioFlAttribLockedBit = 0, kioFlAttribLockedMask = 1,
       kioFlAttribResOpenBit = 2, kioFlAttribResOpenMask = 4, kioFlAttribDataOpenBit = 3,
       kioFlAttribDataOpenMask = 8, kioFlAttribDirBit = 4, kioFlAttribDirMask = 0x10,
       kioFlAttribCopyProtBit = 6, kioFlAttribCopyProtMask = 0x40, kioFlAttribFileOpenBit = 7,
       kioFlAttribFileOpenMask = 0x80 };
enum { fsRtParID = 1, fsRtDirID = 2 };

/* PBCatSearch: what has to fit */

enum
{
    fsSBPartialName = 1, fsSBFullName = 2, fsSBFlAttrib = 4, fsSBFlFndrInfo = 8,
    fsSBFlLgLen = 32, fsSBFlPyLen = 64, fsSBFlRLgLen = 128, fsSBFlRPyLen = 256,
    fsSBFlCrDat = 512, fsSBFlMdDat = 1024, fsSBFlBkDat = 2048, fsSBFlXFndrInfo = 4096,
    fsSBFlParID = 8192, fsSBNegate = 16384, fsSBDrUsrWds = 8, fsSBDrNmFls = 16,
    fsSBDrCrDat = 512, fsSBDrMdDat = 1024, fsSBDrBkDat = 2048, fsSBDrFndrInfo = 4096,
    fsSBDrParID = 8192
};

/* PBHGetVolParms: vMAttrib */

enum
{
    bLimitFCBs = 31, bLocalWList = 30, bNoMiniFndr = 29, bNoVNEdit = 28, bNoLclSync = 27,
    bTrshOffLine = 26, bNoSwitchTo = 25, bNoDeskItems = 20, bNoBootBlks = 19, bAccessCntl = 18,
    bNoSysDir = 17, bHasExtFSVol = 16, bHasOpenDeny = 15, bHasCopyFile = 14,
    bHasMoveRename = 13, bHasDesktopMgr = 12, bHasShortName = 11, bHasFolderLock = 10,
    bHasPersonalAccessPrivileges = 9, bHasUserGroupList = 8, bHasCatSearch = 7,
    bHasFileIDs = 6, bHasBTreeMgr = 5, bHasBlankAccessPrivileges = 4
};

/* the desktop database: kinds of icons */

enum { kLargeIcon = 1, kLarge4BitIcon, kLarge8BitIcon, kSmallIcon, kSmall4BitIcon,
       kSmall8BitIcon };
enum { kLargeIconSize = 256, kLarge4BitIconSize = 512, kLarge8BitIconSize = 1024,
       kSmallIconSize = 64, kSmall4BitIconSize = 128, kSmall8BitIconSize = 256 };

#define PARAM_BLOCK_HEADER          \
    QElemPtr        qLink;          \
    short           qType;          \
    short           ioTrap;         \
    Ptr             ioCmdAddr;      \
    IOCompletionUPP ioCompletion;   \
    OSErr           ioResult;       \
    StringPtr       ioNamePtr;      \
    short           ioVRefNum;

typedef struct VolumeParam
{
    PARAM_BLOCK_HEADER
    long filler2;
    short ioVolIndex;
    unsigned long ioVCrDate, ioVLsBkUp;
    unsigned short ioVAtrb, ioVNmFls, ioVDirSt;
    short ioVBlLn;
    unsigned short ioVNmAlBlks;
    long ioVAlBlkSiz, ioVClpSiz;
    unsigned short ioAlBlSt;
    unsigned long ioVNxtFNum;
    unsigned short ioVFrBlk;
} VolumeParam;

typedef struct SlotDevParam
{
    PARAM_BLOCK_HEADER
    short ioSRefNum;
    SignedByte ioSVersNum, ioSPermssn;
    Ptr ioSMix;
    short ioSFlags;
    SignedByte ioSlot, ioID;
} SlotDevParam;

typedef struct MultiDevParam
{
    PARAM_BLOCK_HEADER
    short ioMRefNum;
    SignedByte ioMVersNum, ioMPermssn;
    Ptr ioMMix;
    short ioMFlags;
    Ptr ioSEBlkPtr;
} MultiDevParam;

typedef struct AccessParam
{
    PARAM_BLOCK_HEADER
    short filler3, ioDenyModes, filler4;
    SignedByte filler5, ioACUser;
    long filler6, ioACOwnerID, ioACGroupID, ioACAccess, ioDirID;
} AccessParam;

typedef struct ObjParam
{
    PARAM_BLOCK_HEADER
    short filler7, ioObjType;
    StringPtr ioObjNamePtr;
    long ioObjID;
} ObjParam;

typedef struct CopyParam
{
    PARAM_BLOCK_HEADER
    short ioDstVRefNum, filler8;
    StringPtr ioNewName, ioCopyName;
    long ioNewDirID, filler14, filler15, ioDirID;
} CopyParam;

typedef struct WDParam
{
    PARAM_BLOCK_HEADER
    short ioWDCreated, ioWDIndex;
    long ioWDProcID;
    short ioWDVRefNum, filler10;
    long filler11, filler12, filler13, ioWDDirID;
} WDParam;

typedef struct ForeignPrivParam
{
    PARAM_BLOCK_HEADER
    long ioFiller21, ioFiller22;
    Ptr ioForeignPrivBuffer;
    long ioForeignPrivActCount, ioForeignPrivReqCount, ioFiller23, ioForeignPrivDirID,
         ioForeignPrivInfo1, ioForeignPrivInfo2, ioForeignPrivInfo3, ioForeignPrivInfo4;
} ForeignPrivParam;

typedef union CInfoPBRec
{
    HFileInfo       hFileInfo;
    DirInfo         dirInfo;
} CInfoPBRec, *CInfoPBPtr;

typedef struct CSParam
{
    PARAM_BLOCK_HEADER
    FSSpec* ioMatchPtr;
    long ioReqMatchCount, ioActMatchCount, ioSearchBits;
    CInfoPBPtr ioSearchInfo1, ioSearchInfo2;
    long ioSearchTime;
    struct CatPositionRec { long initialize; short priv[6]; } ioCatPosition;
    Ptr ioOptBuffer;
    long ioOptBufSize;
} CSParam, *CSParamPtr;

typedef struct CatPositionRec CatPositionRec;

typedef union ParamBlockRec
{
    IOParam         ioParam;
    FileParam       fileParam;
    VolumeParam     volumeParam;
    CntrlParam      cntrlParam;
    SlotDevParam    slotDevParam;
    MultiDevParam   multiDevParam;
} ParamBlockRec, *ParmBlkPtr;

typedef union HParamBlockRec
{
    HIOParam            ioParam;
    HFileParam          fileParam;
    HVolumeParam        volumeParam;
    AccessParam         accessParam;
    ObjParam            objParam;
    CopyParam           copyParam;
    WDParam             wdParam;
    FIDParam            fidParam;
    CSParam             csParam;
    ForeignPrivParam    foreignPrivParam;
} HParamBlockRec, *HParmBlkPtr;

typedef CntrlParam      *CntrlParamPtr;
typedef IOParam         *IOParamPtr;
typedef CMovePBRec      *CMovePBPtr;
typedef WDPBRec         *WDPBPtr;
typedef FCBPBRec        *FCBPBPtr;
typedef DTPBRec         *DTPBPtr;
typedef DrvQEl          *DrvQElPtr;
typedef DInfo           *DInfoPtr;
typedef FSSpec          *FSSpecPtr, **FSSpecHandle, *FSSpecArrayPtr;
typedef const FSSpec    *ConstFSSpecPtr;

typedef struct GetVolParmsInfoBuffer
{
    short vMVersion;
    long vMAttrib;
    Handle vMLocalHand;
    long vMServerAdr, vMVolumeGrade;
    short vMForeignPrivID;
} GetVolParmsInfoBuffer;

typedef struct VCB
{
    QElemPtr qLink;
    short qType, vcbFlags;
    unsigned short vcbSigWord;
    unsigned long vcbCrDate, vcbLsMod;
    short vcbAtrb;
    unsigned short vcbNmFls;
    short vcbVBMSt, vcbAllocPtr;
    unsigned short vcbNmAlBlks;
    long vcbAlBlkSiz, vcbClpSiz;
    short vcbAlBlSt;
    long vcbNxtCNID;
    unsigned short vcbFreeBks;
    Str27 vcbVN;
    short vcbDrvNum, vcbDRefNum, vcbFSID, vcbVRefNum;
    Ptr vcbMAdr, vcbBufAdr;
    short vcbMLen, vcbDirIndex, vcbDirBlk;
    unsigned long vcbVolBkUp;
    unsigned short vcbVSeqNum;
    long vcbWrCnt, vcbXTClpSiz, vcbCTClpSiz;
    unsigned short vcbNmRtDirs;
    long vcbFilCnt, vcbDirCnt, vcbFndrInfo[8];
    unsigned short vcbVCSize, vcbVBMCSiz, vcbCtlCSiz, vcbXTAlBlks, vcbCTAlBlks;
    short vcbXTRef, vcbCTRef;
    Ptr vcbCtlBuf;
    long vcbDirIDM;
    short vcbOffsM;
} VCB, *VCBPtr;

typedef struct HFSUniStr31 { unsigned short length, unicode[31]; } HFSUniStr31;
typedef struct VolMountInfoHeader { short length; OSType media; } VolMountInfoHeader, *VolMountInfoPtr;

/* the names without Sync and Async: their second parameter tells which is meant */

#define PBOpen(block, async) \
    ((async) ? PBOpenAsync(block) : PBOpenSync(block))
#define PBClose(block, async) \
    ((async) ? PBCloseAsync(block) : PBCloseSync(block))
#define PBRead(block, async) \
    ((async) ? PBReadAsync(block) : PBReadSync(block))
#define PBWrite(block, async) \
    ((async) ? PBWriteAsync(block) : PBWriteSync(block))
#define PBGetVInfo(block, async) \
    ((async) ? PBGetVInfoAsync(block) : PBGetVInfoSync(block))
#define PBGetVol(block, async) \
    ((async) ? PBGetVolAsync(block) : PBGetVolSync(block))
#define PBSetVol(block, async) \
    ((async) ? PBSetVolAsync(block) : PBSetVolSync(block))
#define PBFlushVol(block, async) \
    ((async) ? PBFlushVolAsync(block) : PBFlushVolSync(block))
#define PBCreate(block, async) \
    ((async) ? PBCreateAsync(block) : PBCreateSync(block))
#define PBDelete(block, async) \
    ((async) ? PBDeleteAsync(block) : PBDeleteSync(block))
#define PBRename(block, async) \
    ((async) ? PBRenameAsync(block) : PBRenameSync(block))
#define PBGetFInfo(block, async) \
    ((async) ? PBGetFInfoAsync(block) : PBGetFInfoSync(block))
#define PBSetFInfo(block, async) \
    ((async) ? PBSetFInfoAsync(block) : PBSetFInfoSync(block))
#define PBSetFLock(block, async) \
    ((async) ? PBSetFLockAsync(block) : PBSetFLockSync(block))
#define PBRstFLock(block, async) \
    ((async) ? PBRstFLockAsync(block) : PBRstFLockSync(block))
#define PBSetFVers(block, async) \
    ((async) ? PBSetFVersAsync(block) : PBSetFVersSync(block))
#define PBAllocate(block, async) \
    ((async) ? PBAllocateAsync(block) : PBAllocateSync(block))
#define PBAllocContig(block, async) \
    ((async) ? PBAllocContigAsync(block) : PBAllocContigSync(block))
#define PBGetEOF(block, async) \
    ((async) ? PBGetEOFAsync(block) : PBGetEOFSync(block))
#define PBSetEOF(block, async) \
    ((async) ? PBSetEOFAsync(block) : PBSetEOFSync(block))
#define PBGetFPos(block, async) \
    ((async) ? PBGetFPosAsync(block) : PBGetFPosSync(block))
#define PBSetFPos(block, async) \
    ((async) ? PBSetFPosAsync(block) : PBSetFPosSync(block))
#define PBFlushFile(block, async) \
    ((async) ? PBFlushFileAsync(block) : PBFlushFileSync(block))
#define PBOpenDF(block, async) \
    ((async) ? PBOpenDFAsync(block) : PBOpenDFSync(block))
#define PBOpenRF(block, async) \
    ((async) ? PBOpenRFAsync(block) : PBOpenRFSync(block))
#define PBCatMove(block, async) \
    ((async) ? PBCatMoveAsync(block) : PBCatMoveSync(block))
#define PBGetCatInfo(block, async) \
    ((async) ? PBGetCatInfoAsync(block) : PBGetCatInfoSync(block))
#define PBSetCatInfo(block, async) \
    ((async) ? PBSetCatInfoAsync(block) : PBSetCatInfoSync(block))
#define PBOpenWD(block, async) \
    ((async) ? PBOpenWDAsync(block) : PBOpenWDSync(block))
#define PBCloseWD(block, async) \
    ((async) ? PBCloseWDAsync(block) : PBCloseWDSync(block))
#define PBGetWDInfo(block, async) \
    ((async) ? PBGetWDInfoAsync(block) : PBGetWDInfoSync(block))
#define PBGetFCBInfo(block, async) \
    ((async) ? PBGetFCBInfoAsync(block) : PBGetFCBInfoSync(block))
#define PBSetVInfo(block, async) \
    ((async) ? PBSetVInfoAsync(block) : PBSetVInfoSync(block))
#define PBDirCreate(block, async) \
    ((async) ? PBDirCreateAsync(block) : PBDirCreateSync(block))
#define PBLockRange(block, async) \
    ((async) ? PBLockRangeAsync(block) : PBLockRangeSync(block))
#define PBUnlockRange(block, async) \
    ((async) ? PBUnlockRangeAsync(block) : PBUnlockRangeSync(block))
#define PBMakeFSSpec(block, async) \
    ((async) ? PBMakeFSSpecAsync(block) : PBMakeFSSpecSync(block))
#define PBCatSearch(block, async) \
    ((async) ? PBCatSearchAsync(block) : PBCatSearchSync(block))
#define PBCreateFileIDRef(block, async) \
    ((async) ? PBCreateFileIDRefAsync(block) : PBCreateFileIDRefSync(block))
#define PBResolveFileIDRef(block, async) \
    ((async) ? PBResolveFileIDRefAsync(block) : PBResolveFileIDRefSync(block))
#define PBDeleteFileIDRef(block, async) \
    ((async) ? PBDeleteFileIDRefAsync(block) : PBDeleteFileIDRefSync(block))
#define PBExchangeFiles(block, async) \
    ((async) ? PBExchangeFilesAsync(block) : PBExchangeFilesSync(block))
#define PBHSetVol(block, async) \
    ((async) ? PBHSetVolAsync(block) : PBHSetVolSync(block))
#define PBHGetVol(block, async) \
    ((async) ? PBHGetVolAsync(block) : PBHGetVolSync(block))
#define PBHOpen(block, async) \
    ((async) ? PBHOpenAsync(block) : PBHOpenSync(block))
#define PBHOpenDF(block, async) \
    ((async) ? PBHOpenDFAsync(block) : PBHOpenDFSync(block))
#define PBHOpenRF(block, async) \
    ((async) ? PBHOpenRFAsync(block) : PBHOpenRFSync(block))
#define PBHCreate(block, async) \
    ((async) ? PBHCreateAsync(block) : PBHCreateSync(block))
#define PBHDelete(block, async) \
    ((async) ? PBHDeleteAsync(block) : PBHDeleteSync(block))
#define PBHRename(block, async) \
    ((async) ? PBHRenameAsync(block) : PBHRenameSync(block))
#define PBHSetFLock(block, async) \
    ((async) ? PBHSetFLockAsync(block) : PBHSetFLockSync(block))
#define PBHRstFLock(block, async) \
    ((async) ? PBHRstFLockAsync(block) : PBHRstFLockSync(block))
#define PBHGetFInfo(block, async) \
    ((async) ? PBHGetFInfoAsync(block) : PBHGetFInfoSync(block))
#define PBHSetFInfo(block, async) \
    ((async) ? PBHSetFInfoAsync(block) : PBHSetFInfoSync(block))
#define PBHGetVInfo(block, async) \
    ((async) ? PBHGetVInfoAsync(block) : PBHGetVInfoSync(block))
#define PBHGetVolParms(block, async) \
    ((async) ? PBHGetVolParmsAsync(block) : PBHGetVolParmsSync(block))
#define PBHOpenDeny(block, async) \
    ((async) ? PBHOpenDenyAsync(block) : PBHOpenDenySync(block))
#define PBHOpenRFDeny(block, async) \
    ((async) ? PBHOpenRFDenyAsync(block) : PBHOpenRFDenySync(block))
#define PBHGetLogInInfo(block, async) \
    ((async) ? PBHGetLogInInfoAsync(block) : PBHGetLogInInfoSync(block))
#define PBHGetDirAccess(block, async) \
    ((async) ? PBHGetDirAccessAsync(block) : PBHGetDirAccessSync(block))
#define PBHSetDirAccess(block, async) \
    ((async) ? PBHSetDirAccessAsync(block) : PBHSetDirAccessSync(block))
#define PBHMapID(block, async) \
    ((async) ? PBHMapIDAsync(block) : PBHMapIDSync(block))
#define PBHMapName(block, async) \
    ((async) ? PBHMapNameAsync(block) : PBHMapNameSync(block))
#define PBHCopyFile(block, async) \
    ((async) ? PBHCopyFileAsync(block) : PBHCopyFileSync(block))
#define PBHMoveRename(block, async) \
    ((async) ? PBHMoveRenameAsync(block) : PBHMoveRenameSync(block))
#define PBDTSetComment(block, async) \
    ((async) ? PBDTSetCommentAsync(block) : PBDTSetCommentSync(block))
#define PBDTGetComment(block, async) \
    ((async) ? PBDTGetCommentAsync(block) : PBDTGetCommentSync(block))
#define PBDTAddIcon(block, async) \
    ((async) ? PBDTAddIconAsync(block) : PBDTAddIconSync(block))
#define PBDTGetIcon(block, async) \
    ((async) ? PBDTGetIconAsync(block) : PBDTGetIconSync(block))
#define PBDTGetIconInfo(block, async) \
    ((async) ? PBDTGetIconInfoAsync(block) : PBDTGetIconInfoSync(block))
#define PBDTAddAPPL(block, async) \
    ((async) ? PBDTAddAPPLAsync(block) : PBDTAddAPPLSync(block))
#define PBDTRemoveAPPL(block, async) \
    ((async) ? PBDTRemoveAPPLAsync(block) : PBDTRemoveAPPLSync(block))
#define PBDTGetAPPL(block, async) \
    ((async) ? PBDTGetAPPLAsync(block) : PBDTGetAPPLSync(block))
#define PBDTRemoveComment(block, async) \
    ((async) ? PBDTRemoveCommentAsync(block) : PBDTRemoveCommentSync(block))
#define PBDTFlush(block, async) \
    ((async) ? PBDTFlushAsync(block) : PBDTFlushSync(block))
#define PBDTReset(block, async) \
    ((async) ? PBDTResetAsync(block) : PBDTResetSync(block))
#define PBMountVol(block) PBMountVolSync(block)
#define PBUnmountVol(block) PBUnmountVolSync(block)
#define PBEject(block) PBEjectSync(block)
#define PBOffLine(block) PBOffLineSync(block)
#define PBDTGetPath(block) PBDTGetPathSync(block)
#define PBDTCloseDown(block) PBDTCloseDownSync(block)
#define PBDTOpenInform(block) PBDTOpenInformSync(block)

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#undef PARAM_BLOCK_HEADER

#include "callbacks/Files.h"
#include "routines/Files.h"

#include "absent/Files.h"

#endif
