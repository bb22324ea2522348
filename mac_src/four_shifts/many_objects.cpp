// many_objects.cpp
//
// Room for 2000 objects in place of the 200 of the printed program.
// Compiled before four_shifts.cpp, of which nothing is changed: what its
// header says of the two arrays that grow is said of others here, which
// nobody ever makes.

#define kMaxObjects     kPrintedMaxObjects
#define gObjects        gPrintedObjects
#define gCollisionArray gPrintedCollisionArray

#include "four_shifts.h"

#undef kMaxObjects
#undef gObjects
#undef gCollisionArray

enum { kMaxObjects = 2000 };
