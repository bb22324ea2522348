/* OSEvents.h: events of the Operating System. See Types.h for what these headers are. */

#ifndef COMPAT_OSEVENTS_H
#define COMPAT_OSEVENTS_H

#include <Events.h>

#include "absent/OSEvents.h"

#endif
