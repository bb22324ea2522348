/* Packages.h: numbers as text. */

#ifndef MAC_PACKAGES_H
#define MAC_PACKAGES_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

void NumToString(long number, unsigned char* string);
void StringToNum(ConstStr255Param string, long* number);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Packages.h"

#endif
