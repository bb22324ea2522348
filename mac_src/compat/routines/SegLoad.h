/* Routines of SegLoad.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <SegLoad.h>

#ifndef ROUTINES_SEGLOAD_H
#define ROUTINES_SEGLOAD_H

#ifdef __cplusplus
extern "C" {
#endif

void ClrAppFiles(short index);
void CountAppFiles(short* message, short* count);
void GetAppFiles(short index, AppFile* theFile);
void GetAppParms(unsigned char* apName, short* apRefNum, Handle* apParam);
void LoadSeg(void);
void UnloadSeg(void* routineAddr);

#ifdef __cplusplus
}
#endif

#endif
