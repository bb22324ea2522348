/* SegLoad.h: segments, the files that the Finder gives, and the end. See Types.h for what these headers are. */

#ifndef COMPAT_SEGLOAD_H
#define COMPAT_SEGLOAD_H

#include <Types.h>
#include <Files.h>
#include <Processes.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { appOpen = 0, appPrint = 1 };

typedef struct AppFile { short vRefNum; OSType fType; short versNum; Str255 fName; } AppFile;


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/SegLoad.h"

#endif
