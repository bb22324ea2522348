/* A4Stuff.h: A4 of code resources, as CodeWarrior has it. Programs here reach their globals without A4. See Types.h for what these headers are. */

#ifndef COMPAT_A4STUFF_H
#define COMPAT_A4STUFF_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#define SetCurrentA4()      0L
#define SetA4(value)        ((void) (value), 0L)
#define EnterCodeResource() ((void) 0)
#define ExitCodeResource()  ((void) 0)
#define PrepareCallback()   ((void) 0)

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
