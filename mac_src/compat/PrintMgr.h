/* PrintMgr.h: the name that THINK C once had for Printing.h. */

#include <Printing.h>
