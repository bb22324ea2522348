/* CursorCtl.h: cursors that turn, as MPW has them. See Types.h for what these headers are. */

#ifndef COMPAT_CURSORCTL_H
#define COMPAT_CURSORCTL_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { HIDDEN_CURSOR = 0, I_BEAM_CURSOR, CROSS_CURSOR, PLUS_CURSOR, WATCH_CURSOR, ARROW_CURSOR };

typedef struct Acur { short n, index, frame1, fill1, frame2, fill2; } Acur, *acurPtr, **acurHandle;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/CursorCtl.h"

#endif
