/* DialogMgr.h: the name that THINK C once had for Dialogs.h. */

#include <Dialogs.h>
