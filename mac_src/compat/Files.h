/* Files.h: the File Manager. */

#ifndef MAC_FILES_H
#define MAC_FILES_H

#include <Types.h>

#include "records/Files.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum
{
    dirFulErr = -33, dskFulErr = -34, nsvErr = -35, ioErr = -36, bdNamErr = -37,
    fnOpnErr = -38, eofErr = -39, posErr = -40, tmfoErr = -42, fnfErr = -43,
    wPrErr = -44, fLckdErr = -45, vLckdErr = -46, fBsyErr = -47, dupFNErr = -48, opWrErr = -49,
    paramErr = -50, rfNumErr = -51
};

enum { fsCurPerm = 0, fsRdPerm, fsWrPerm, fsRdWrPerm, fsRdWrShPerm };
enum { fsAtMark = 0, fsFromStart, fsFromLEOF, fsFromMark };

typedef union HParamBlockRec
{
    HIOParam        ioParam;
    HFileParam      fileParam;
} HParamBlockRec, *HParmBlkPtr;

typedef union ParamBlockRec
{
    IOParam         ioParam;
    FileParam       fileParam;
} ParamBlockRec, *ParmBlkPtr;

OSErr PBOpenSync(ParmBlkPtr block);
OSErr PBCloseSync(ParmBlkPtr block);
OSErr PBReadSync(ParmBlkPtr block);
OSErr PBWriteSync(ParmBlkPtr block);
OSErr PBCreateSync(ParmBlkPtr block);
OSErr PBDeleteSync(ParmBlkPtr block);
OSErr PBGetEOFSync(ParmBlkPtr block);
OSErr PBSetEOFSync(ParmBlkPtr block);
OSErr PBGetFPosSync(ParmBlkPtr block);
OSErr PBSetFPosSync(ParmBlkPtr block);
OSErr PBFlushVolSync(ParmBlkPtr block);
OSErr PBGetFInfoSync(ParmBlkPtr block);
OSErr PBSetFInfoSync(ParmBlkPtr block);

OSErr PBHCreateSync(HParmBlkPtr block);
OSErr PBHOpenSync(HParmBlkPtr block);

OSErr FSOpen(ConstStr255Param name, short volume, short* file);
OSErr FSClose(short file);
OSErr FSRead(short file, long* count, void* buffer);
OSErr FSWrite(short file, long* count, const void* buffer);
OSErr Create(ConstStr255Param name, short volume, OSType creator, OSType type);
OSErr FSDelete(ConstStr255Param name, short volume);
OSErr GetEOF(short file, long* end);
OSErr SetEOF(short file, long end);
OSErr GetFPos(short file, long* position);
OSErr SetFPos(short file, short mode, long offset);
OSErr FlushVol(ConstStr255Param name, short volume);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Files.h"

#endif
