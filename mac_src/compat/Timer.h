/* Timer.h: the microsecond clock. See Types.h for what these headers are.
 *
 * The guard has the name Apple's header gives it: a source can tell by it
 * whether its Timer.h has Microseconds, since not every one has.
 */

#ifndef __TIMER__
#define __TIMER__

#include "Types.h"
#include "records/Timer.h"

#ifdef __cplusplus
extern "C"
#endif
void Microseconds(UnsignedWide* sinceStartup);

#include "routines/Timer.h"

#endif
