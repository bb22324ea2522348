/* PackageMgr.h: the name that THINK C once had for Packages.h. */

#include <Packages.h>
