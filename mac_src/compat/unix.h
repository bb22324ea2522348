/* unix.h: what THINK C's header of UNIX names has, as far as the runtime here has it. */

#ifndef COMPAT_UNIX_H
#define COMPAT_UNIX_H

#include <stdio.h>
#include <stdlib.h>

typedef unsigned char uchar;
#ifndef __USE_MISC              /* a C library for Linux has these two */
typedef unsigned short ushort;
typedef unsigned long ulong;
#endif

#endif
