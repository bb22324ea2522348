/* DiskInit.h: the Disk Initialization Package. See Types.h for what these headers are. */

#ifndef COMPAT_DISKINIT_H
#define COMPAT_DISKINIT_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
