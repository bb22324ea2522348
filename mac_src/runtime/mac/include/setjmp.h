/* setjmp.h: a jump back into a function that has not yet returned. */

#ifndef MAC_SETJMP_H
#define MAC_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef long jmp_buf[60];

int setjmp(jmp_buf place) __attribute__((returns_twice));
void longjmp(jmp_buf place, int value) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
