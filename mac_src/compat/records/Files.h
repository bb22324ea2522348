/* Records of Files.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_FILES_H
#define RECORDS_FILES_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct FInfo
{
    OSType fdType;
    OSType fdCreator;
    unsigned short fdFlags;
    Point fdLocation;
    short fdFldr;
} FInfo;

typedef struct FXInfo
{
    short fdIconID;
    short fdUnused[3];
    SignedByte fdScript;
    SignedByte fdXFlags;
    short fdComment;
    long fdPutAway;
} FXInfo;

typedef struct DInfo
{
    Rect frRect;
    unsigned short frFlags;
    Point frLocation;
    short frView;
} DInfo;

typedef struct DXInfo
{
    Point frScroll;
    long frOpenChain;
    SignedByte frScript;
    SignedByte frXFlags;
    short frComment;
    long frPutAway;
} DXInfo;

typedef struct FSSpec
{
    short vRefNum;
    long parID;
    Str63 name;
} FSSpec;

typedef struct DrvQEl
{
    struct QElem* qLink;
    short qType;
    short dQDrive;
    short dQRefNum;
    short dQFSID;
    unsigned short dQDrvSz;
    unsigned short dQDrvSz2;
} DrvQEl;

typedef struct ParamBlockHeader
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
} ParamBlockHeader;

typedef struct IOParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioRefNum;
    SignedByte ioVersNum;
    SignedByte ioPermssn;
    Ptr ioMisc;
    Ptr ioBuffer;
    long ioReqCount;
    long ioActCount;
    short ioPosMode;
    long ioPosOffset;
} IOParam;

typedef struct FileParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioFRefNum;
    SignedByte ioFVersNum;
    SignedByte filler1;
    short ioFDirIndex;
    Byte ioFlAttrib;
    Byte ioFlVersNum;
    FInfo ioFlFndrInfo;
    unsigned long ioFlNum;
    unsigned short ioFlStBlk;
    long ioFlLgLen;
    long ioFlPyLen;
    unsigned short ioFlRStBlk;
    long ioFlRLgLen;
    long ioFlRPyLen;
    unsigned long ioFlCrDat;
    unsigned long ioFlMdDat;
} FileParam;

typedef struct HIOParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioRefNum;
    SignedByte ioVersNum;
    SignedByte ioPermssn;
    Ptr ioMisc;
    Ptr ioBuffer;
    long ioReqCount;
    long ioActCount;
    short ioPosMode;
    long ioPosOffset;
} HIOParam;

typedef struct HFileParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioFRefNum;
    SignedByte ioFVersNum;
    SignedByte filler1;
    short ioFDirIndex;
    Byte ioFlAttrib;
    Byte ioFlVersNum;
    FInfo ioFlFndrInfo;
    long ioDirID;
    unsigned short ioFlStBlk;
    long ioFlLgLen;
    long ioFlPyLen;
    unsigned short ioFlRStBlk;
    long ioFlRLgLen;
    long ioFlRPyLen;
    unsigned long ioFlCrDat;
    unsigned long ioFlMdDat;
} HFileParam;

typedef struct HFileInfo
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioFRefNum;
    SignedByte ioFVersNum;
    SignedByte filler1;
    short ioFDirIndex;
    Byte ioFlAttrib;
    __extension__ union { Byte ioFlVersNum; Byte ioACUser; Byte filler2; };
    FInfo ioFlFndrInfo;
    long ioDirID;
    unsigned short ioFlStBlk;
    long ioFlLgLen;
    long ioFlPyLen;
    unsigned short ioFlRStBlk;
    long ioFlRLgLen;
    long ioFlRPyLen;
    unsigned long ioFlCrDat;
    unsigned long ioFlMdDat;
    unsigned long ioFlBkDat;
    FXInfo ioFlXFndrInfo;
    long ioFlParID;
    long ioFlClpSiz;
} HFileInfo;

typedef struct DirInfo
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioFRefNum;
    SignedByte ioFVersNum;
    SignedByte filler1;
    short ioFDirIndex;
    Byte ioFlAttrib;
    Byte ioACUser;
    DInfo ioDrUsrWds;
    long ioDrDirID;
    unsigned short ioDrNmFls;
    short filler3[9];
    unsigned long ioDrCrDat;
    unsigned long ioDrMdDat;
    unsigned long ioDrBkDat;
    DXInfo ioDrFndrInfo;
    long ioDrParID;
} DirInfo;

typedef struct CMovePBRec
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    long filler1;
    StringPtr ioNewName;
    long filler2;
    long ioNewDirID;
    long filler3[2];
    long ioDirID;
} CMovePBRec;

typedef struct HVolumeParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    long filler2;
    short ioVolIndex;
    unsigned long ioVCrDate;
    unsigned long ioVLsMod;
    short ioVAtrb;
    unsigned short ioVNmFls;
    short ioVBitMap;
    short ioVAllocPtr;
    unsigned short ioVNmAlBlks;
    long ioVAlBlkSiz;
    long ioVClpSiz;
    short ioAlBlSt;
    long ioVNxtCNID;
    unsigned short ioVFrBlk;
    unsigned short ioVSigWord;
    short ioVDrvInfo;
    short ioVDRefNum;
    short ioVFSID;
    unsigned long ioVBkUp;
    short ioVSeqNum;
    long ioVWrCnt;
    long ioVFilCnt;
    long ioVDirCnt;
    long ioVFndrInfo[8];
} HVolumeParam;

typedef struct WDPBRec
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short filler1;
    short ioWDIndex;
    long ioWDProcID;
    short ioWDVRefNum;
    short filler2[7];
    long ioWDDirID;
} WDPBRec;

typedef struct FCBPBRec
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioRefNum;
    short filler;
    short ioFCBIndx;
    short filler1;
    long ioFCBFlNm;
    short ioFCBFlags;
    unsigned short ioFCBStBlk;
    long ioFCBEOF;
    long ioFCBPLen;
    long ioFCBCrPs;
    short ioFCBVRefNum;
    long ioFCBClpSiz;
    long ioFCBParID;
} FCBPBRec;

typedef struct CntrlParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioCRefNum;
    short csCode;
    short csParam[11];
} CntrlParam;

typedef struct FIDParam
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    long filler14;
    StringPtr ioDestNamePtr;
    long filler15;
    long ioDestDirID;
    long filler16;
    long filler17;
    long ioSrcDirID;
    short filler18;
    long ioFileID;
} FIDParam;

typedef struct DTPBRec
{
    struct QElem* qLink;
    short qType;
    short ioTrap;
    Ptr ioCmdAddr;
    ProcPtr ioCompletion;
    OSErr ioResult;
    StringPtr ioNamePtr;
    short ioVRefNum;
    short ioDTRefNum;
    short ioIndex;
    long ioTagInfo;
    Ptr ioDTBuffer;
    long ioDTReqCount;
    long ioDTActCount;
    SignedByte ioFiller1;
    SignedByte ioIconType;
    short ioFiller2;
    long ioDirID;
    OSType ioFileCreator;
    OSType ioFileType;
    long ioFiller3;
    long ioDTLgLen;
    long ioDTPyLen;
    char ioFiller4[28];
    long ioAPPLParID;
} DTPBRec;

#pragma pack(pop)

#endif
