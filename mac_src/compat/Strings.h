/* Strings.h: strings of C and of Pascal. See Types.h for what these headers are. */

#ifndef COMPAT_STRINGS_H
#define COMPAT_STRINGS_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

unsigned char* c2pstr(char* text);
char* p2cstr(unsigned char* text);

#define C2PStr(text)    c2pstr((char*) (text))
#define P2CStr(text)    p2cstr((unsigned char*) (text))
#ifdef __cplusplus
#define CtoPstr(text)   c2pstr((char*) (text))
#define PtoCstr(text)   p2cstr((unsigned char*) (text))
#else /* C sources declare them once more */
#define CtoPstr c2pstr
#define PtoCstr p2cstr
#endif
#define C2PSTR(text)    c2pstr((char*) (text))
#define P2CSTR(text)    p2cstr((unsigned char*) (text))
#define CtoPStr(text)   c2pstr((char*) (text))
#define PtoCStr(text)   p2cstr((unsigned char*) (text))

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
