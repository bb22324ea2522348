/* MenuMgr.h: the name that THINK C once had for Menus.h. */

#include <Menus.h>
