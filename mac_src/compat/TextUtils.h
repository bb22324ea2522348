/* TextUtils.h: the later home of some routines. */

#include <Packages.h>
#include <ToolUtils.h>
