// library_of_1994.cpp
//
// Put in front of a program, it has rand give 15 bits, as the C libraries
// of 1994 said theirs did. With RAND_MAX_OF_TODAY it leaves what the
// library of the compiler says.

#include <stdlib.h>

#ifndef RAND_MAX_OF_TODAY
#undef RAND_MAX
#define RAND_MAX 32767
#endif
