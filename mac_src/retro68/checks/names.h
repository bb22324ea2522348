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
