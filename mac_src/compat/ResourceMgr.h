/* ResourceMgr.h: the name that THINK C once had for Resources.h. */

#include <Resources.h>
