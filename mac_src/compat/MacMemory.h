/* MacMemory.h: the later name of Memory.h. */

#include <Memory.h>
