/* SegLoad.h: segments, and the end. */

#ifndef MAC_SEGLOAD_H
#define MAC_SEGLOAD_H

#include <Processes.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

void UnloadSeg(void* routine);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/SegLoad.h"

#endif
