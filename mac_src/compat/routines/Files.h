/* Routines of Files.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_FILES_H
#define ROUTINES_FILES_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct FInfo;
struct FSSpec;

OSErr AllocContig(short refNum, long* count);
OSErr Allocate(short refNum, long* count);
OSErr CatMove(short vRefNum, long dirID, ConstStr255Param oldName, long newDirID, ConstStr255Param newName);
OSErr CloseWD(short wdRefNum);
OSErr DirCreate(short vRefNum, long parentDirID, ConstStr255Param directoryName, long* createdDirID);
OSErr Eject(StringPtr volName, short vRefNum);
OSErr FSMakeFSSpec(short vRefNum, long dirID, ConstStr255Param fileName, struct FSSpec* spec);
OSErr FSpCatMove(const struct FSSpec* source, const struct FSSpec* dest);
OSErr FSpCreate(const struct FSSpec* spec, OSType creator, OSType fileType, short scriptTag);
OSErr FSpDelete(const struct FSSpec* spec);
OSErr FSpDirCreate(const struct FSSpec* spec, short scriptTag, long* createdDirID);
OSErr FSpExchangeFiles(const struct FSSpec* source, const struct FSSpec* dest);
OSErr FSpGetFInfo(const struct FSSpec* spec, struct FInfo* fndrInfo);
OSErr FSpOpenDF(const struct FSSpec* spec, SignedByte permission, short* refNum);
OSErr FSpOpenRF(const struct FSSpec* spec, SignedByte permission, short* refNum);
OSErr FSpRename(const struct FSSpec* spec, ConstStr255Param newName);
OSErr FSpRstFLock(const struct FSSpec* spec);
OSErr FSpSetFInfo(const struct FSSpec* spec, void* fndrInfo);
OSErr FSpSetFLock(const struct FSSpec* spec);
OSErr GetFInfo(ConstStr255Param fileName, short vRefNum, struct FInfo* fndrInfo);
OSErr GetVInfo(short drvNum, StringPtr volName, short* vRefNum, long* freeBytes);
OSErr GetVRefNum(short pathRefNum, short* vRefNum);
OSErr GetVol(StringPtr volName, short* vRefNum);
OSErr GetWDInfo(short wdRefNum, short* vRefNum, long* dirID, long* procID);
OSErr HCreate(short vRefNum, long dirID, ConstStr255Param fileName, OSType creator, OSType fileType);
OSErr HDelete(short vRefNum, long dirID, ConstStr255Param fileName);
OSErr HGetFInfo(short vRefNum, long dirID, ConstStr255Param fileName, struct FInfo* fndrInfo);
OSErr HGetVol(StringPtr volName, short* vRefNum, long* dirID);
OSErr HOpen(short vRefNum, long dirID, ConstStr255Param fileName, SignedByte permission, short* refNum);
OSErr HOpenDF(short vRefNum, long dirID, ConstStr255Param fileName, SignedByte permission, short* refNum);
OSErr HOpenRF(short vRefNum, long dirID, ConstStr255Param fileName, SignedByte permission, short* refNum);
OSErr HRename(short vRefNum, long dirID, ConstStr255Param oldName, ConstStr255Param newName);
OSErr HRstFLock(short vRefNum, long dirID, ConstStr255Param fileName);
OSErr HSetFInfo(short vRefNum, long dirID, ConstStr255Param fileName, void* fndrInfo);
OSErr HSetFLock(short vRefNum, long dirID, ConstStr255Param fileName);
OSErr HSetVol(StringPtr volName, short vRefNum, long dirID);
OSErr OpenDF(ConstStr255Param fileName, short vRefNum, short* refNum);
OSErr OpenRF(ConstStr255Param fileName, short vRefNum, short* refNum);
OSErr OpenWD(short vRefNum, long dirID, long procID, short* wdRefNum);
OSErr Rename(ConstStr255Param oldName, short vRefNum, ConstStr255Param newName);
OSErr RstFLock(ConstStr255Param fileName, short vRefNum);
OSErr SetFInfo(ConstStr255Param fileName, short vRefNum, void* fndrInfo);
OSErr SetFLock(ConstStr255Param fileName, short vRefNum);
OSErr SetPMSP(void* paramBlock);
OSErr SetVol(StringPtr volName, short vRefNum);
OSErr UnmountVol(StringPtr volName, short vRefNum);

#ifdef __cplusplus
}
#endif

#endif
