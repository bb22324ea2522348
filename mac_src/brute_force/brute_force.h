// brute_force.h
//
// Collision detection without any cleverness: every object against every
// other. It is what the sector methods of Tom Moertel's posts of June and
// July 1994 save work against, so objects, the test of two of them and
// the flags are those of four_shifts.h. Written for macproof.

#ifndef BRUTE_FORCE_H
#define BRUTE_FORCE_H

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
    kRectSize   = 30        // width and height of every object
};

struct obj
{
    scalar  x, y;           // upper left corner, in pixels
    obj*    sector_link;    // not used here
    obj*    obj_link;       // next object of all
};

struct report
{
    short   first, second;  // indices of two objects that collide
};

extern obj              gObjects[kMaxObjects];
extern short            gObjectCount;

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

// Sets gCollisionArray for the objects on the list of GetMyFirstObject,
// and reports each pair that collides once, in the order of the list.
//
// Coordinates must be -16384..16383, so that a short holds the difference
// of any two.

void _DetermineCollisions();

#endif
