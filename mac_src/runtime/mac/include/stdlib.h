/* stdlib.h: as much of the C library as the runtime has. */

#ifndef MAC_STDLIB_H
#define MAC_STDLIB_H

#include <stddef.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#ifndef NULL
#define NULL 0
#endif

/* As with the compilers of 1994: programs count on rand() + 1 being no
 * overflow, and on 15 bits.
 */

#define RAND_MAX 0x7fff

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

int rand(void);
void srand(unsigned int seed);

void* malloc(size_t size);
void* calloc(size_t count, size_t size);
void* realloc(void* block, size_t size);
void free(void* block);

int abs(int n);
long labs(long n);
int atoi(const char* text);
long atol(const char* text);
double atof(const char* text);
double strtod(const char* text, char** end);
long strtol(const char* text, char** end, int base);
unsigned long strtoul(const char* text, char** end, int base);

typedef int (*__cmp_func)(const void*, const void*);     /* of THINK C */

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*));
void* bsearch(const void* wanted, const void* base, size_t count, size_t size,
              int (*compare)(const void*, const void*));

void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atexit(void (*function)(void));

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
