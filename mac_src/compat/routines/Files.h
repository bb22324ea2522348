/* Routines of Files.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Files.h>

#ifndef ROUTINES_FILES_H
#define ROUTINES_FILES_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AllocContig(short refNum, long* count);
OSErr Allocate(short refNum, long* count);
OSErr CatMove(short vRefNum, long dirID, ConstStr255Param oldName, long newDirID, ConstStr255Param newName);
OSErr CloseWD(short wdRefNum);
OSErr DirCreate(short vRefNum, long parentDirID, ConstStr255Param directoryName, long* createdDirID);
OSErr Eject(StringPtr volName, short vRefNum);
OSErr FSMakeFSSpec(short vRefNum, long dirID, ConstStr255Param fileName, FSSpec* spec);
OSErr FSpCatMove(const FSSpec* source, const FSSpec* dest);
OSErr FSpCreate(const FSSpec* spec, OSType creator, OSType fileType, short scriptTag);
OSErr FSpDelete(const FSSpec* spec);
OSErr FSpDirCreate(const FSSpec* spec, short scriptTag, long* createdDirID);
OSErr FSpExchangeFiles(const FSSpec* source, const FSSpec* dest);
OSErr FSpGetFInfo(const FSSpec* spec, FInfo* fndrInfo);
OSErr FSpOpenDF(const FSSpec* spec, SignedByte permission, short* refNum);
OSErr FSpOpenRF(const FSSpec* spec, SignedByte permission, short* refNum);
OSErr FSpRename(const FSSpec* spec, ConstStr255Param newName);
OSErr FSpRstFLock(const FSSpec* spec);
OSErr FSpSetFInfo(const FSSpec* spec, void* fndrInfo);
OSErr FSpSetFLock(const FSSpec* spec);
OSErr GetFInfo(ConstStr255Param fileName, short vRefNum, FInfo* fndrInfo);
OSErr GetVInfo(short drvNum, StringPtr volName, short* vRefNum, long* freeBytes);
OSErr GetVRefNum(short pathRefNum, short* vRefNum);
OSErr GetVol(StringPtr volName, short* vRefNum);
OSErr GetWDInfo(short wdRefNum, short* vRefNum, long* dirID, long* procID);
OSErr HCreate(short vRefNum, long dirID, ConstStr255Param fileName, OSType creator, OSType fileType);
OSErr HDelete(short vRefNum, long dirID, ConstStr255Param fileName);
OSErr HGetFInfo(short vRefNum, long dirID, ConstStr255Param fileName, FInfo* fndrInfo);
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
OSErr PBAllocContigAsync(void* paramBlock);
OSErr PBAllocContigSync(void* paramBlock);
OSErr PBAllocate(void* paramBlock);
OSErr PBAllocateAsync(void* paramBlock);
OSErr PBAllocateSync(void* paramBlock);
OSErr PBCatMove(void* paramBlock);
OSErr PBCatMoveAsync(void* paramBlock);
OSErr PBCatMoveSync(void* paramBlock);
OSErr PBClose(void* paramBlock);
OSErr PBCloseAsync(void* paramBlock);
OSErr PBCloseWD(void* paramBlock);
OSErr PBCloseWDAsync(void* paramBlock);
OSErr PBCloseWDSync(void* paramBlock);
OSErr PBCreate(void* paramBlock);
OSErr PBCreateAsync(void* paramBlock);
OSErr PBDelete(void* paramBlock);
OSErr PBDeleteAsync(void* paramBlock);
OSErr PBDirCreate(void* paramBlock);
OSErr PBDirCreateAsync(void* paramBlock);
OSErr PBDirCreateSync(void* paramBlock);
OSErr PBEject(void* paramBlock);
OSErr PBEjectSync(void* paramBlock);
OSErr PBFlushFile(void* paramBlock);
OSErr PBFlushFileAsync(void* paramBlock);
OSErr PBFlushFileSync(void* paramBlock);
OSErr PBFlushVol(void* paramBlock);
OSErr PBFlushVolAsync(void* paramBlock);
OSErr PBGetCatInfo(void* paramBlock);
OSErr PBGetCatInfoAsync(void* paramBlock);
OSErr PBGetCatInfoSync(void* paramBlock);
OSErr PBGetEOF(void* paramBlock);
OSErr PBGetEOFAsync(void* paramBlock);
OSErr PBGetFCBInfo(void* paramBlock);
OSErr PBGetFCBInfoAsync(void* paramBlock);
OSErr PBGetFCBInfoSync(void* paramBlock);
OSErr PBGetFInfo(void* paramBlock);
OSErr PBGetFInfoAsync(void* paramBlock);
OSErr PBGetFPos(void* paramBlock);
OSErr PBGetFPosAsync(void* paramBlock);
OSErr PBGetVInfo(void* paramBlock);
OSErr PBGetVInfoAsync(void* paramBlock);
OSErr PBGetVInfoSync(void* paramBlock);
OSErr PBGetVol(void* paramBlock);
OSErr PBGetVolAsync(void* paramBlock);
OSErr PBGetVolSync(void* paramBlock);
OSErr PBGetWDInfo(void* paramBlock);
OSErr PBGetWDInfoAsync(void* paramBlock);
OSErr PBGetWDInfoSync(void* paramBlock);
OSErr PBHCreateAsync(void* paramBlock);
OSErr PBHDeleteAsync(void* paramBlock);
OSErr PBHDeleteSync(void* paramBlock);
OSErr PBHGetFInfoAsync(void* paramBlock);
OSErr PBHGetFInfoSync(void* paramBlock);
OSErr PBHGetVInfoAsync(void* paramBlock);
OSErr PBHGetVInfoSync(void* paramBlock);
OSErr PBHGetVolAsync(void* paramBlock);
OSErr PBHGetVolParms(void* paramBlock);
OSErr PBHGetVolParmsAsync(void* paramBlock);
OSErr PBHGetVolParmsSync(void* paramBlock);
OSErr PBHGetVolSync(void* paramBlock);
OSErr PBHOpenAsync(void* paramBlock);
OSErr PBHOpenDFAsync(void* paramBlock);
OSErr PBHOpenDFSync(void* paramBlock);
OSErr PBHOpenRFAsync(void* paramBlock);
OSErr PBHOpenRFSync(void* paramBlock);
OSErr PBHRenameAsync(void* paramBlock);
OSErr PBHRenameSync(void* paramBlock);
OSErr PBHRstFLockAsync(void* paramBlock);
OSErr PBHRstFLockSync(void* paramBlock);
OSErr PBHSetFInfoAsync(void* paramBlock);
OSErr PBHSetFInfoSync(void* paramBlock);
OSErr PBHSetFLockAsync(void* paramBlock);
OSErr PBHSetFLockSync(void* paramBlock);
OSErr PBHSetVolAsync(void* paramBlock);
OSErr PBHSetVolSync(void* paramBlock);
OSErr PBLockRange(void* paramBlock);
OSErr PBLockRangeAsync(void* paramBlock);
OSErr PBLockRangeSync(void* paramBlock);
OSErr PBMakeFSSpec(void* paramBlock);
OSErr PBMakeFSSpecAsync(void* paramBlock);
OSErr PBMakeFSSpecSync(void* paramBlock);
OSErr PBMountVol(void* paramBlock);
OSErr PBMountVolSync(void* paramBlock);
OSErr PBOffLine(void* paramBlock);
OSErr PBOffLineSync(void* paramBlock);
OSErr PBOpen(void* paramBlock);
OSErr PBOpenAsync(void* paramBlock);
OSErr PBOpenDF(void* paramBlock);
OSErr PBOpenDFAsync(void* paramBlock);
OSErr PBOpenDFSync(void* paramBlock);
OSErr PBOpenRF(void* paramBlock);
OSErr PBOpenRFAsync(void* paramBlock);
OSErr PBOpenRFSync(void* paramBlock);
OSErr PBOpenWD(void* paramBlock);
OSErr PBOpenWDAsync(void* paramBlock);
OSErr PBOpenWDSync(void* paramBlock);
OSErr PBRead(void* paramBlock);
OSErr PBReadAsync(void* paramBlock);
OSErr PBRename(void* paramBlock);
OSErr PBRenameAsync(void* paramBlock);
OSErr PBRenameSync(void* paramBlock);
OSErr PBRstFLock(void* paramBlock);
OSErr PBRstFLockAsync(void* paramBlock);
OSErr PBRstFLockSync(void* paramBlock);
OSErr PBSetCatInfo(void* paramBlock);
OSErr PBSetCatInfoAsync(void* paramBlock);
OSErr PBSetCatInfoSync(void* paramBlock);
OSErr PBSetEOF(void* paramBlock);
OSErr PBSetEOFAsync(void* paramBlock);
OSErr PBSetFInfo(void* paramBlock);
OSErr PBSetFInfoAsync(void* paramBlock);
OSErr PBSetFLock(void* paramBlock);
OSErr PBSetFLockAsync(void* paramBlock);
OSErr PBSetFLockSync(void* paramBlock);
OSErr PBSetFPos(void* paramBlock);
OSErr PBSetFPosAsync(void* paramBlock);
OSErr PBSetFVers(void* paramBlock);
OSErr PBSetFVersAsync(void* paramBlock);
OSErr PBSetFVersSync(void* paramBlock);
OSErr PBSetVInfo(void* paramBlock);
OSErr PBSetVInfoAsync(void* paramBlock);
OSErr PBSetVInfoSync(void* paramBlock);
OSErr PBSetVol(void* paramBlock);
OSErr PBSetVolAsync(void* paramBlock);
OSErr PBSetVolSync(void* paramBlock);
OSErr PBUnlockRange(void* paramBlock);
OSErr PBUnlockRangeAsync(void* paramBlock);
OSErr PBUnlockRangeSync(void* paramBlock);
OSErr PBUnmountVol(void* paramBlock);
OSErr PBUnmountVolSync(void* paramBlock);
OSErr PBWrite(void* paramBlock);
OSErr PBWriteAsync(void* paramBlock);
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
