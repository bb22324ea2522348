/* SetUpA4.h: A4 of code resources, as THINK C has it. Programs here reach their globals without A4. See Types.h for what these headers are. */

#ifndef COMPAT_SETUPA4_H
#define COMPAT_SETUPA4_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#define SetUpA4()       ((void) 0)
#define RestoreA4()     ((void) 0)
#define RememberA0()    ((void) 0)
#define RememberA4()    ((void) 0)

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
