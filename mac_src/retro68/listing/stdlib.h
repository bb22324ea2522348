/* stdlib.h: random numbers as a program of 1994 expects them.
 *
 * It took RAND_MAX + 1 for a number, and the bits of rand for 15. The C
 * library of today has 31: one more than RAND_MAX is then negative.
 */

#include_next <stdlib.h>

#undef RAND_MAX
#define RAND_MAX 0x7fff
