/* names.h: which calls of the program are checked.
 *
 * Included before all else in a program that is compiled with checks of
 * its accesses. It only gives functions other names for the linker, so
 * that no name of the program can clash with it.
 */

#pragma redefine_extname memcpy __wrap_memcpy
#pragma redefine_extname memmove __wrap_memmove
#pragma redefine_extname memset __wrap_memset
#pragma redefine_extname memcmp __wrap_memcmp

/* On the 68K these are no functions but instructions: see assemble.cmake. */

#ifndef __m68k__
#pragma redefine_extname NewPtr __wrap_NewPtr
#pragma redefine_extname NewPtrClear __wrap_NewPtrClear
#pragma redefine_extname SetPtrSize __wrap_SetPtrSize
#pragma redefine_extname DisposePtr __wrap_DisposePtr
#endif
