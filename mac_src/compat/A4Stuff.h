/* A4Stuff.h: A4 of code resources, as CodeWarrior has it. Programs here reach their globals without A4. See Types.h for what these headers are. */

#ifndef COMPAT_A4STUFF_H
#define COMPAT_A4STUFF_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

static __attribute__((unused)) long SetCurrentA4(void)  { return 0; }
static __attribute__((unused)) long SetA4(long value)   { (void) value; return 0; }
static __attribute__((unused)) void EnterCodeResource(void) {}
static __attribute__((unused)) void ExitCodeResource(void)  {}
static __attribute__((unused)) void PrepareCallback(void)   {}

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
