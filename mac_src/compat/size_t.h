/* size_t.h: size_t, where THINK C has it. */

#ifndef COMPAT_SIZE_T_H
#define COMPAT_SIZE_T_H

#include <stddef.h>

#endif
