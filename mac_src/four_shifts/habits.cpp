// habits.cpp
//
// The routine of four_shifts.cpp, with habits of compilers of 1994 spelled
// out where the compiler of today has others. Each is a preprocessor name.
// Without any of them the code is that of four_shifts.cpp, but for the
// loop that clears the flags. What is computed is the same in any case.
//
//   INDEX_BY_MULTIPLICATION   a row of the sector table by a multiplication
//   DIFFERENCE_BY_DIVISION    the number of an object by a division
//   DIFFERENCE_BY_CALL        the same, by a routine of the library (68K)
//   GLOBALS_FROM_A5           globals at 16 bits from A5 (68K)
//   GLOBALS_FAR_FROM_A5       globals at 32 bits from A5 (68K)
//   CALLS_BY_JUMP_TABLE       calls through an entry of the jump table (68K)
//   GLOBALS_FROM_CONTENTS     the address of a global is loaded from the
//                             table of contents at each use (PowerPC)

#include "four_shifts.h"

// Distances between globals are known to the assembler if one section has
// them all.

#if defined(GLOBALS_FROM_A5) || defined(GLOBALS_FAR_FROM_A5)
#define TOGETHER  __attribute__((section(".bss.a5")))
#else
#define TOGETHER
#endif

obj     gObjects[kMaxObjects] TOGETHER;
obj*    gSectorArray[kNumXSectors][kNumYSectors] TOGETHER;
Boolean gCollisionArray[kMaxObjects] TOGETHER;

// -- where globals are ---------------------------------------------------

#if defined(GLOBALS_FROM_A5) || defined(GLOBALS_FAR_FROM_A5)

// A5 belongs to the routine while it runs. Here it points to the first
// global, since the distance is all that matters.

register char* gA5 asm("a5");

#ifdef GLOBALS_FROM_A5
#define AT_A5(type, name)                                               \
    ({ type* p;                                                         \
       asm("lea %%a5@(" #name "-gObjects:w),%0" : "=a"(p) : "a"(gA5));  \
       p; })
#else
#define AT_A5(type, name)                                               \
    ({ type* p;                                                         \
       asm("move.l %%a5,%0\n\tadd.l #" #name "-gObjects,%0"             \
           : "=a"(p) : "a"(gA5));                                       \
       p; })
#endif

#define OBJECTS    AT_A5(obj, gObjects)
#define SECTORS    AT_A5(obj*, gSectorArray)
#define FLAGS      AT_A5(Boolean, gCollisionArray)

#elif defined(GLOBALS_FROM_CONTENTS)

void* gContents[] = { gObjects, gSectorArray, gCollisionArray };

#define LOADED(type, n)                                                 \
    ({ type* p;                                                         \
       asm volatile("lwz %0,%1" : "=r"(p) : "m"(gContents[n]));         \
       p; })
#define OBJECTS    LOADED(obj, 0)
#define SECTORS    LOADED(obj*, 1)
#define FLAGS      LOADED(Boolean, 2)

#else

#define OBJECTS    gObjects
#define SECTORS    (&gSectorArray[0][0])
#define FLAGS      gCollisionArray

#endif

// -- arithmetic ----------------------------------------------------------

// What stands for an expression of the source is no call in any build.

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define ROW_BYTES  (kNumYSectors * 4)

ALWAYS_INLINE obj** SectorAt(scalar x, scalar y)
{
#if !defined(INDEX_BY_MULTIPLICATION)
    return SECTORS + x * kNumYSectors + y;
#elif defined(powerc)
    long row;
    asm("mulli %0,%1,%2" : "=r"(row) : "r"(x), "i"(ROW_BYTES));
    return (obj**) ((char*) SECTORS + row) + y;
#else
    long row = x;
    asm("muls.w %1,%0" : "+d"(row) : "i"(ROW_BYTES));
    return (obj**) ((char*) SECTORS + row) + y;
#endif
}

ALWAYS_INLINE long NumberOf(obj* o)
{
#if defined(DIFFERENCE_BY_CALL)
    long size = sizeof(obj);
    asm("" : "+d"(size));       // the compiler must not know what divides
    return ((char*) o - (char*) OBJECTS) / size;
#elif !defined(DIFFERENCE_BY_DIVISION)
    return o - OBJECTS;
#elif defined(powerc)
    long bytes = (char*) o - (char*) OBJECTS, size = sizeof(obj), number;
    asm("divw %0,%1,%2" : "=r"(number) : "r"(bytes), "r"(size));
    return number;
#else
    long bytes = (char*) o - (char*) OBJECTS;
    asm("divs.w %1,%0\n\text.l %0" : "+d"(bytes) : "i"(sizeof(obj)));
    return bytes;
#endif
}

// -- calls ---------------------------------------------------------------

// An entry of the jump table whose segment is loaded is a jump.

#ifdef CALLS_BY_JUMP_TABLE

#define CALLED(result, name, arguments)                                 \
    static result name arguments asm(#name) __attribute__((used));      \
    extern result Entry##name arguments asm("Entry" #name);             \
    asm("Entry" #name ": jmp " #name);                                  \
    static result name arguments
#define CALL(name)  Entry##name

#else

#define CALLED(result, name, arguments)  static result name arguments
#define CALL(name)  name

#endif

// -- the routine ---------------------------------------------------------

obj* GetMyFirstObject()
{
    return OBJECTS;
}

static void UpdateSectors(scalar xoff, scalar yoff)
{
    for (scalar x = 0; x < kNumXSectors; x++)
        for (scalar y = 0; y < kNumYSectors; y++)
            *SectorAt(x, y) = 0;

    obj* o = GetMyFirstObject();
    while (o != 0)
    {
        obj** head = SectorAt((o->x + xoff) >> kLog2SectorSize,
                              (o->y + yoff) >> kLog2SectorSize);
        o->sector_link = *head;
        *head = o;
        o = o->obj_link;
    }
}

CALLED(scalar, _Abs, (scalar a))
{
    return a < 0 ? -a : a;
}

CALLED(scalar, _IntersectQ, (obj* a, obj* b))
{
    return CALL(_Abs)(a->x - b->x) < kRectSize
        && CALL(_Abs)(a->y - b->y) < kRectSize;
}

CALLED(void, _CalcCollisionsInSector, (obj* list))
{
    if (list == 0)
        return;

    for (obj* a = list; a->sector_link != 0; a = a->sector_link)
        for (obj* b = a->sector_link; b != 0; b = b->sector_link)
            if (CALL(_IntersectQ)(a, b))
            {
                FLAGS[NumberOf(b)] = 1;
                FLAGS[NumberOf(a)] = 1;
            }
}

static void _UpdateCollisionArray()
{
    for (scalar x = 0; x < kNumXSectors; x++)
        for (scalar y = 0; y < kNumYSectors; y++)
            CALL(_CalcCollisionsInSector)(*SectorAt(x, y));
}

static void _ClearCollisionArray()
{
    for (scalar i = 0; i < kMaxObjects; i++)
        FLAGS[i] = 0;
}

void _DetermineCollisions()
{
    const scalar half = kSectorSize / 2;

#if defined(GLOBALS_FROM_A5) || defined(GLOBALS_FAR_FROM_A5)
    char* const before = gA5;
    gA5 = (char*) gObjects;
#endif

    _ClearCollisionArray();

    UpdateSectors(0,    0);     _UpdateCollisionArray();
    UpdateSectors(0,    half);  _UpdateCollisionArray();
    UpdateSectors(half, 0);     _UpdateCollisionArray();
    UpdateSectors(half, half);  _UpdateCollisionArray();

#if defined(GLOBALS_FROM_A5) || defined(GLOBALS_FAR_FROM_A5)
    gA5 = before;
#endif
}
