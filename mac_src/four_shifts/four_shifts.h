// four_shifts.h
//
// Collision detection with a sector grid that is laid four times.
// The method and the program around it are Tom Moertel's (posted to a
// newsgroup in June and July 1994, free to use if he is credited).
// This text was written afresh for macproof from the behaviour of his.

#ifndef FOUR_SHIFTS_H
#define FOUR_SHIFTS_H

// Only a Macintosh compiler has Types.h, so elsewhere Boolean, the one
// Toolbox type the detector needs, is given here.

#if defined(macintosh) || defined(__MWERKS__)
#include <Types.h>
#else
typedef unsigned char Boolean;
#endif

// the fastest integer of the processor

#if defined(powerc) || defined(__powerc)
typedef int   scalar;
#else
typedef short scalar;
#endif

#define CEILING_DIV(a, b)  (((a) + (b) - 1) / (b))

enum
{
    kMaxObjects     = 200,

    // Width and height of every object. The printed notes allow objects
    // of many sizes, but the test of two of them knows only this one.

    kRectSize       = 30,

    // Two objects that overlap lie at most kRectSize - 1 apart. In each
    // axis one of two grids half a sector apart holds both in one cell
    // if their distance is no more than kSectorSize / 2; hence 64 for 30.

    kSectorSize     = 64,
    kLog2SectorSize = 6,

    kScreenWidth    = 640,
    kScreenHeight   = 480,

    // one more than covers the screen, for what the shift pushes over

    kNumXSectors    = CEILING_DIV(kScreenWidth,  kSectorSize) + 1,
    kNumYSectors    = CEILING_DIV(kScreenHeight, kSectorSize) + 1,
    kNumSectors     = kNumXSectors * kNumYSectors
};

struct obj
{
    scalar  x, y;               // upper left corner, in pixels
    obj*    sector_link;        // next object of the same sector
    obj*    obj_link;           // next object of all
};

extern obj      gObjects[kMaxObjects];
extern obj*     gSectorArray[kNumXSectors][kNumYSectors];
extern Boolean  gCollisionArray[kMaxObjects];   // 1: hits some other object

obj* GetMyFirstObject();

// Sets gCollisionArray for the objects on the list of GetMyFirstObject.
//
// Coordinates must be 0..671 by 0..543. Kept as printed although it is a
// defect: nothing checks them, and an object farther out is filed outside
// the sector table, which can go unnoticed, lose collisions, overwrite
// whatever lies there, or close the list of objects into a ring.

void _DetermineCollisions();

#endif
