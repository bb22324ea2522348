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
OSErr Create(ConstStr255Param fileName, short vRefNum, OSType creator, OSType fileType);
OSErr DirCreate(short vRefNum, long parentDirID, ConstStr255Param directoryName, long* createdDirID);
OSErr Eject(StringPtr volName, short vRefNum);
OSErr FSClose(short refNum);
OSErr FSDelete(ConstStr255Param fileName, short vRefNum);
OSErr FSMakeFSSpec(short vRefNum, long dirID, ConstStr255Param fileName, FSSpec* spec);
OSErr FSOpen(ConstStr255Param fileName, short vRefNum, short* refNum);
OSErr FSRead(short refNum, long* count, void* buffPtr);
OSErr FSWrite(short refNum, long* count, void* buffPtr);
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
OSErr FlushVol(StringPtr volName, short vRefNum);
OSErr GetEOF(short refNum, long* logEOF);
OSErr GetFInfo(ConstStr255Param fileName, short vRefNum, FInfo* fndrInfo);
OSErr GetFPos(short refNum, long* filePos);
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
OSErr Rename(ConstStr255Param oldName, short vRefNum, ConstStr255Param newName);
OSErr RstFLock(ConstStr255Param fileName, short vRefNum);
OSErr SetEOF(short refNum, long logEOF);
OSErr SetFInfo(ConstStr255Param fileName, short vRefNum, void* fndrInfo);
OSErr SetFLock(ConstStr255Param fileName, short vRefNum);
OSErr SetFPos(short refNum, short posMode, long posOff);
OSErr SetPMSP(void* paramBlock);
OSErr SetVol(StringPtr volName, short vRefNum);
OSErr UnmountVol(StringPtr volName, short vRefNum);

#ifdef __cplusplus
}
#endif

#endif
