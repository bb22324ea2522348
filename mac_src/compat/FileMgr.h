/* FileMgr.h: the name that THINK C once had for Files.h. */

#include <Files.h>
