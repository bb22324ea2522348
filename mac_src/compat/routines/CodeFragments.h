/* Routines of CodeFragments.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <CodeFragments.h>

#ifndef ROUTINES_CODEFRAGMENTS_H
#define ROUTINES_CODEFRAGMENTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CloseConnection(long* connID);
OSErr CountSymbols(long connID, long* symCount);
OSErr FindSymbol(long connID, ConstStr255Param symName, void* symAddr, SymClass* symClass);
OSErr GetDiskFragment(const FSSpec* fileSpec, long offset, long length, ConstStr255Param fragName, long loadFlags, long* connID, void* mainAddr, unsigned char* errMessage);
OSErr GetIndSymbol(long connID, long symIndex, unsigned char* symName, void* symAddr, SymClass* symClass);
OSErr GetMemFragment(void* memAddr, long length, ConstStr255Param fragName, long loadFlags, long* connID, void* mainAddr, unsigned char* errMessage);
OSErr GetSharedLibrary(ConstStr255Param libName, OSType archType, long loadFlags, long* connID, void* mainAddr, unsigned char* errMessage);

#ifdef __cplusplus
}
#endif

#endif
