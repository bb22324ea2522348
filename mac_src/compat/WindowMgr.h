/* WindowMgr.h: the name that THINK C once had for Windows.h. */

#include <Windows.h>
