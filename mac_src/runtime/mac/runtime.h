/* runtime.h: what the files of this runtime need of each other. */

#ifndef RUNTIME_H
#define RUNTIME_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The console: every byte to it and from it passes these two. fd is as
 * in UNIX, the result is the number of bytes.
 */

long _consolewrite(int fd, const void* buffer, size_t count);
long _consoleread(int fd, void* buffer, size_t count);

/* Called after all that atexit knows, if it is set. By way of a pointer,
 * so that programs without files need not have them linked in.
 */

extern void (*_at_end)(void);

/* What a stream or printf shows of a floating-point number: as "%f", "%e"
 * or "%g" (style 'f', 'e', 'g', or a capital) with so many digits. The
 * text has at most _kFloatText characters; no sign but '-' is written.
 */

enum { _kFloatText = 400, _kMostDigits = 40 };

int _float_text(char* text, double value, char style, int digits, int keepZeros);

#ifdef __cplusplus
}
#endif

#endif
