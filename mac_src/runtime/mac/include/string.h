/* string.h: as much of the C library as the runtime has. */

#ifndef MAC_STRING_H
#define MAC_STRING_H

#include <stddef.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#ifndef NULL
#define NULL 0
#endif

void* memset(void* to, int value, size_t count);
void* memcpy(void* to, const void* from, size_t count);
void* memmove(void* to, const void* from, size_t count);
int memcmp(const void* one, const void* two, size_t count);
size_t strlen(const char* s);
char* strcpy(char* to, const char* from);
char* strncpy(char* to, const char* from, size_t count);
char* strcat(char* to, const char* from);
int strcmp(const char* one, const char* two);
int strncmp(const char* one, const char* two, size_t count);
char* strchr(const char* s, int c);
char* strrchr(const char* s, int c);
void* memchr(const void* block, int c, size_t count);
char* strncat(char* to, const char* from, size_t count);
char* strstr(const char* s, const char* part);
char* strtok(char* s, const char* separators);
char* strpbrk(const char* s, const char* some);
size_t strspn(const char* s, const char* some);
size_t strcspn(const char* s, const char* some);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
