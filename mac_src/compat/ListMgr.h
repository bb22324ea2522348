/* ListMgr.h: the name that THINK C once had for Lists.h. */

#include <Lists.h>
