// as_printed.h
//
// The blockmap with the defects of the printed listing.

#ifndef AS_PRINTED_H
#define AS_PRINTED_H

#include "object.h"

#define MAX_FRAGM   256             // fragments of all objects

enum { kTableRoom = 256 };          // sectors the stand-in for a heap holds

extern objfrag_t**  sectorlist;             // row by row
extern objfrag_t    fraglist[MAX_FRAGM];
extern int          numfrags;
extern int          sectors_x, sectors_y;

extern objfrag_t*   gTable[kTableRoom];
extern objfrag_t**  gHeap;          // where the table will be; gTable

#endif
