/* Processes.h: the end. */

#ifndef MAC_PROCESSES_H
#define MAC_PROCESSES_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

void ExitToShell(void);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
