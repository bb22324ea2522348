/* Timer.h: the Time Manager, the microsecond clock. See Types.h for what these headers are. */

/* The guard has the name that Apple's header gives it: a source can tell by it whether its Timer.h
 * has Microseconds, since not every one has.
 */

#ifndef __TIMER__
#define __TIMER__

#include <Types.h>
#include <OSUtils.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#include "records/Timer.h"

typedef TMTask *TMTaskPtr;

#include "callbacks/Timer.h"


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Timer.h"

#endif
