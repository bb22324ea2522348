/* console.h: the console window of THINK C; its settings have no effect here. See Types.h for what these headers are. */

#ifndef COMPAT_CONSOLE_H
#define COMPAT_CONSOLE_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct Console_Options
{
    short top, left;
    unsigned char* title;
    short procID, txFont, txSize, txFace, nrows, ncols, pause_atexit, txMode;
} Console_Options;

static __attribute__((unused)) Console_Options console_options;

#define ccommand(arguments) 0
#define cshow(file)         ((void) 0)
#define cgotoxy(x, y, file) ((void) 0)

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
