/* SIOUX.h: the console window of CodeWarrior; its settings have no effect here. See Types.h for what these headers are. */

#ifndef COMPAT_SIOUX_H
#define COMPAT_SIOUX_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tSIOUXSettings
{
    char initializeTB, standalone, setupmenus, autocloseonquit, asktosaveonclose, showstatusline;
    short columns, rows, toppixel, leftpixel, fontid, fontsize, fontface;
    char enabledraganddrop, outlinehilite, wasteusetempmemory;
    short tabspaces;
} tSIOUXSettings;

static __attribute__((unused)) tSIOUXSettings SIOUXSettings;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
