/* Routines of AddressXlation.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <AddressXlation.h>

#ifndef ABSENT_ADDRESSXLATION_H
#define ABSENT_ADDRESSXLATION_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr OpenResolver(char *fileName);
OSErr CloseResolver(void);
OSErr StrToAddr(char *hostName, struct hostInfo *host, long resultProc, char *userData);
OSErr AddrToStr(unsigned long addr, char *text);
OSErr AddrToName(unsigned long addr, struct hostInfo *host, long resultProc, char *userData);

#ifdef __cplusplus
}
#endif

#endif
