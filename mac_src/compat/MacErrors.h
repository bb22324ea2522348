/* MacErrors.h: the later name of Errors.h. */

#include <Errors.h>
