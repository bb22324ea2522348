/* VRetraceMgr.h: the name that THINK C once had for Retrace.h. */

#include <Retrace.h>
