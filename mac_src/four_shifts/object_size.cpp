// object_size.cpp
//
// Compiled in front of four_shifts.cpp, this makes it a program for
// objects of OBJECT_SIZE pixels, so that one can find out how large they
// may be. The size is known to four_shifts.cpp alone; four_shifts.h does
// not depend on it.

#include "four_shifts.h"

#ifndef OBJECT_SIZE
#define OBJECT_SIZE 30
#endif

#define kRectSize OBJECT_SIZE
