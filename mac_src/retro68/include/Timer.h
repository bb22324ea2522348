/* Timer.h: the microsecond clock, which the open interfaces leave out.
 *
 * Found before the interfaces' own Timer.h. Apple's has a guard named
 * __TIMER__ and declares Microseconds; where CMake found that any other
 * does too, it defines HAVE_MICROSECONDS.
 */

#include_next <Timer.h>

#if !defined(__TIMER__) && !defined(HAVE_MICROSECONDS)

/* The same name tells the sources that there is such a clock now. */

#define __TIMER__

#include <Types.h>

#ifndef HAVE_UNSIGNED_WIDE
typedef struct UnsignedWide { UInt32 hi, lo; } UnsignedWide;
#endif

#ifdef __m68k__

/* The trap answers in A0 (high) and D0 (low), and keeps nothing of D1, D2
 * and A1, as any trap of the Operating System may.
 */

static inline void Microseconds(UnsignedWide* sinceStartup)
{
    register UInt32 high __asm__("a0");
    register UInt32 low __asm__("d0");

    __asm__ volatile (".short 0xA193"
                      : "=r" (high), "=r" (low)
                      :
                      : "d1", "d2", "a1", "cc", "memory");
    sinceStartup->hi = high;
    sinceStartup->lo = low;
}

#else

/* InterfaceLib exports it. */

#ifdef __cplusplus
extern "C"
#endif
void Microseconds(UnsignedWide* sinceStartup);

#endif

#elif !defined(__TIMER__)

#define __TIMER__

#endif
