/* TimeMgr.h: the name that THINK C once had for Timer.h. */

#include <Timer.h>
