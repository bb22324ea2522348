/* assert.h: may be included again with another NDEBUG. */

#include <stdio.h>
#include <stdlib.h>

#undef assert
#ifdef NDEBUG
#define assert(condition)   ((void) 0)
#else
#define assert(condition)                                                           \
    ((condition) ? (void) 0                                                         \
                 : (void) (printf("%s:%d: %s is not so\n", __FILE__, __LINE__, #condition), abort()))
#endif
