/* stdio.h: as much of the C library as the runtime has. */

#ifndef MAC_STDIO_H
#define MAC_STDIO_H

#include <stddef.h>
#include <stdarg.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#ifndef NULL
#define NULL 0
#endif

#define EOF (-1)

#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

typedef struct _File FILE;

extern FILE* stdin;
extern FILE* stdout;
extern FILE* stderr;

int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE* file, const char* format, ...) __attribute__((format(printf, 2, 3)));
int sprintf(char* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
int snprintf(char* text, size_t size, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
int vprintf(const char* format, va_list arguments);
int vfprintf(FILE* file, const char* format, va_list arguments);
int vsprintf(char* text, const char* format, va_list arguments);
int vsnprintf(char* text, size_t size, const char* format, va_list arguments);

int putchar(int c);
int puts(const char* text);
int fputc(int c, FILE* file);
int fputs(const char* text, FILE* file);
size_t fwrite(const void* from, size_t size, size_t count, FILE* file);
int fflush(FILE* file);

int getchar(void);
int fgetc(FILE* file);
char* fgets(char* text, int size, FILE* file);
size_t fread(void* to, size_t size, size_t count, FILE* file);

FILE* fopen(const char* name, const char* mode);
int fclose(FILE* file);
int feof(FILE* file);
int ferror(FILE* file);
void clearerr(FILE* file);
int ungetc(int c, FILE* file);
int fseek(FILE* file, long offset, int from);
long ftell(FILE* file);
void rewind(FILE* file);
int remove(const char* name);
int rename(const char* former, const char* name);

int sscanf(const char* text, const char* format, ...) __attribute__((format(scanf, 2, 3)));
int fscanf(FILE* file, const char* format, ...) __attribute__((format(scanf, 2, 3)));
int scanf(const char* format, ...) __attribute__((format(scanf, 1, 2)));
int vsscanf(const char* text, const char* format, va_list arguments);
int vfscanf(FILE* file, const char* format, va_list arguments);

#define getc(file)      fgetc(file)
#define putc(c, file)   fputc(c, file)

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
