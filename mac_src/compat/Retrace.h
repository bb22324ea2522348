/* Retrace.h: tasks of the vertical retrace. See Types.h for what these headers are. */

#ifndef COMPAT_RETRACE_H
#define COMPAT_RETRACE_H

#include <Types.h>
#include <OSUtils.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#include "records/Retrace.h"

typedef VBLTask *VBLTaskPtr;

#include "callbacks/Retrace.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Retrace.h"

#endif
