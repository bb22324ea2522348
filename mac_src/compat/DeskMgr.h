/* DeskMgr.h: the name that THINK C once had for Desk.h. */

#include <Desk.h>
