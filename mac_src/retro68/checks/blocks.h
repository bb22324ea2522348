/* blocks.h: which calls of the Memory Manager are checked, on PowerPC.
 *
 * Included as names.h is. On the 68K these are no functions but
 * instructions: see assemble.cmake.
 */

#pragma redefine_extname NewPtr __wrap_NewPtr
#pragma redefine_extname NewPtrClear __wrap_NewPtrClear
#pragma redefine_extname SetPtrSize __wrap_SetPtrSize
#pragma redefine_extname DisposePtr __wrap_DisposePtr
