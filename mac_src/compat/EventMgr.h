/* EventMgr.h: the name that THINK C once had for Events.h. */

#include <Events.h>
