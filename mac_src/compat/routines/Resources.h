/* Routines of Resources.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Resources.h>

#ifndef ROUTINES_RESOURCES_H
#define ROUTINES_RESOURCES_H

#ifdef __cplusplus
extern "C" {
#endif

void AddResource(Handle theData, ResType theType, short theID, ConstStr255Param name);
void ChangedResource(Handle theResource);
void CloseResFile(short refNum);
short Count1Resources(ResType theType);
short Count1Types(void);
short CountResources(ResType theType);
short CountTypes(void);
void CreateResFile(ConstStr255Param fileName);
short CurResFile(void);
void DetachResource(Handle theResource);
void FSpCreateResFile(const FSSpec* spec, OSType creator, OSType fileType, short scriptTag);
short FSpOpenResFile(const FSSpec* spec, SignedByte permission);
Handle Get1IndResource(ResType theType, short index);
void Get1IndType(ResType* theType, short index);
Handle Get1NamedResource(ResType theType, ConstStr255Param name);
Handle Get1Resource(ResType theType, short theID);
Handle GetIndResource(ResType theType, short index);
void GetIndType(ResType* theType, short index);
long GetMaxResourceSize(Handle theResource);
Handle GetNamedResource(ResType theType, ConstStr255Param name);
short GetResAttrs(Handle theResource);
short GetResFileAttrs(short refNum);
void GetResInfo(Handle theResource, short* theID, ResType* theType, unsigned char* name);
Handle GetResource(ResType theType, short theID);
long GetResourceSizeOnDisk(Handle theResource);
void HCreateResFile(short vRefNum, long dirID, ConstStr255Param fileName);
short HOpenResFile(short vRefNum, long dirID, ConstStr255Param fileName, SignedByte permission);
short HomeResFile(Handle theResource);
void LoadResource(Handle theResource);
long MaxSizeRsrc(Handle theResource);
short OpenRFPerm(ConstStr255Param fileName, short vRefNum, SignedByte permission);
short OpenResFile(ConstStr255Param fileName);
Handle RGetResource(ResType theType, short theID);
void ReadPartialResource(Handle theResource, long offset, void* buffer, long count);
void ReleaseResource(Handle theResource);
void RemoveResource(Handle theResource);
short ResError(void);
void RmveResource(Handle theResource);
void RsrcZoneInit(void);
void SetResAttrs(Handle theResource, short attrs);
void SetResFileAttrs(short refNum, short attrs);
void SetResInfo(Handle theResource, short theID, ConstStr255Param name);
void SetResLoad(Boolean load);
void SetResPurge(Boolean install);
void SetResourceSize(Handle theResource, long newSize);
long SizeResource(Handle theResource);
long SizeRsrc(Handle theResource);
short Unique1ID(ResType theType);
short UniqueID(ResType theType);
void UpdateResFile(short refNum);
void UseResFile(short refNum);
void WritePartialResource(Handle theResource, long offset, void* buffer, long count);
void WriteResource(Handle theResource);

#ifdef __cplusplus
}
#endif

#endif
