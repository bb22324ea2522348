/* MemoryMgr.h: the name that THINK C once had for Memory.h. */

#include <Memory.h>
