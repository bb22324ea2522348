// routines.h
//
// The routines that PortCheck runs: a table, to which a new one adds a
// line in routines.cpp.

#ifndef PORT_CHECK_ROUTINES_H
#define PORT_CHECK_ROUTINES_H

#include "scenes.h"

struct Routine
{
    const char*     name;           // of its case, without spaces
    long            mostObjects;    // that it has room for
    short           farthestX, farthestY;   // where its table ends
    short           objectSize;     // in pixels

    void            (*setUp)(const Scene* scene);
    void            (*run)();
    Boolean         (*collided)(long object);

    // The digest of everything observed that the run has left.

    unsigned long   (*observe)(long objects);
};

extern const Routine    gRoutines[];
extern const short      gRoutineCount;

// Whether a routine may be given a scene.

Boolean Takes(const Routine* routine, const Scene* scene);

#endif
