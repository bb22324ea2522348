// adjacent_sectors.h
//
// Collision detection with one sector grid, looking into the sectors
// around as well. Tom Moertel's post of July 1994 describes this method,
// to argue for his own that lays the grid four times instead, but shows
// no code for it. The four routines here are: the method as his analysis
// charges for it, the method as one would write it, and what becomes of
// it when each pair of sectors is looked at from one side only.
// Objects, the test of two of them and the flags are those of
// four_shifts.h. Written for macproof.

#ifndef ADJACENT_SECTORS_H
#define ADJACENT_SECTORS_H

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

enum
{
    kMaxObjects = 2000,
    kMaxReports = 4000,     // that are kept; more are only counted

    // Width and height of every object. Two that overlap lie in the same
    // or in adjacent sectors if these are no smaller than kRectSize - 1.

    kRectSize   = 30,

    kScreenWidth  = 640,
    kScreenHeight = 480,

    // Objects may lie where the four-shifts program can have them.

    kWidth      = 672,
    kHeight     = 544,

    kMaxSectors = (kWidth / 32) * (kHeight / 32)
};

struct obj
{
    scalar  x, y;           // upper left corner, in pixels
    obj*    sector_link;    // next object of the same sector
    obj*    obj_link;       // next object of all
};

struct report
{
    short   first, second;  // indices of two objects that collide
};

extern obj              gObjects[kMaxObjects];
extern short            gObjectCount;

extern obj*             gSectorArray[kMaxSectors];      // column by column
extern Boolean          gCollisionArray[kMaxObjects];   // 1: hits some other

// Reports and counts are for whoever verifies a routine; to find out who
// collides takes neither. With NO_BOOKKEEPING defined they are left out,
// and flags beyond the last object are left as they are, so that it can
// be told what the method itself costs. All else is the same.

#ifndef NO_BOOKKEEPING
extern report           gReports[kMaxReports];
extern unsigned long    gReportCount;
extern unsigned long    gTestCount;                     // of two rectangles
#endif

obj* GetMyFirstObject();

// All of these set gCollisionArray for the objects on the list of
// GetMyFirstObject and report pairs that collide. They differ in the
// tests they make and in how often they report the same pair.
//
// Coordinates must be 0..671 by 0..543.

// Sectors of 64 pixels. For each of the screen, every pair among the
// objects of it and the eight around it: up to nine tests of one pair.
// What lies beyond the screen is a neighbour of its last sectors.

void _DetermineAsCounted();

// Sectors of 64 pixels. For each, every pair of its own objects, and each
// of these with every object of the eight around it: a pair in different
// sectors is tested from both.

void _DetermineWithEight();

// Sectors of 64 or 32 pixels. As before, but of the eight around it only
// the four that come later in the table: every pair is tested once.

void _DetermineByHalves64();
void _DetermineByHalves32();

#endif
