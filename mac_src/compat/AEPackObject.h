/* AEPackObject.h: makes the descriptions of objects. See Types.h for what these headers are. */

#ifndef COMPAT_AEPACKOBJECT_H
#define COMPAT_AEPACKOBJECT_H

#include <Types.h>
#include <AppleEvents.h>
#include <AEObjects.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/AEPackObject.h"

#endif
