/* FragLoad.h: the earlier name of CodeFragments.h. */

#include <CodeFragments.h>
