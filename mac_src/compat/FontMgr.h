/* FontMgr.h: the name that THINK C once had for Fonts.h. */

#include <Fonts.h>
