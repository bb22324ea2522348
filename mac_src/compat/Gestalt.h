/* Gestalt.h: what there is: see OSUtils.h. */

#ifndef MAC_GESTALT_H
#define MAC_GESTALT_H

#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { gestaltSystemVersion = 0x73797376 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Gestalt.h"

#endif
