/* Resources.h: the Resource Manager. */

#ifndef MAC_RESOURCES_H
#define MAC_RESOURCES_H

#include <Types.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

Handle GetResource(ResType type, short id);
Handle Get1Resource(ResType type, short id);
Handle GetNamedResource(ResType type, ConstStr255Param name);
short CountResources(ResType type);
void ReleaseResource(Handle resource);
void DetachResource(Handle resource);
void LoadResource(Handle resource);
long SizeResource(Handle resource);
OSErr ResError(void);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Resources.h"

#endif
