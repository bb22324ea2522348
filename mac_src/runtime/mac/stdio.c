/* stdio.c
 *
 * Printing, and files as the C library has them. Text goes to the console
 * (see console.c) or through the File Manager.
 */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <Files.h>

#include "runtime.h"

struct _File
{
    int     fd;                 /* of the console, or -1 */
    short   reference;          /* of the File Manager */
    int     atEnd;
    int     failed;
    int     pushed;             /* by ungetc: the byte and 1 more, or 0 */
    FILE*   next;               /* of those that are open */
};

static FILE gIn = { 0, 0, 0, 0, 0, NULL }, gOut = { 1, 0, 0, 0, 0, NULL }, gErr = { 2, 0, 0, 0, 0, NULL };
static FILE* gOpen;

FILE* stdin = &gIn;
FILE* stdout = &gOut;
FILE* stderr = &gErr;


/* ---- bytes ------------------------------------------------------------- */

static long _Write(FILE* file, const void* from, size_t count)
{
    long done = (long) count;

    if (file->fd >= 0)
        return _consolewrite(file->fd, from, count);
    FSWrite(file->reference, &done, from);
    return done;
}

static long _Read(FILE* file, void* to, size_t count)
{
    long done = (long) count;

    if (file->fd >= 0)
        return _consoleread(file->fd, to, count);
    FSRead(file->reference, &done, to);
    return done;
}

size_t fwrite(const void* from, size_t size, size_t count, FILE* file)
{
    long done;

    if (size == 0 || count == 0)
        return 0;
    done = _Write(file, from, size * count);
    if (done < (long) (size * count))
        file->failed = 1;
    return done < 0 ? 0 : (size_t) done / size;
}

size_t fread(void* to, size_t size, size_t count, FILE* file)
{
    long done, pushed = file->pushed != 0;

    if (size == 0 || count == 0)
        return 0;
    if (pushed)
        *(unsigned char*) to = (unsigned char) (file->pushed - 1);
    file->pushed = 0;
    done = pushed;
    if (size * count > (size_t) pushed)
        done += _Read(file, (char*) to + pushed, size * count - pushed);
    if (done < (long) (size * count))
        file->atEnd = 1;
    return done < 0 ? 0 : (size_t) done / size;
}

int fflush(FILE* file)
{
    (void) file;                /* nothing is held back */
    return 0;
}

int feof(FILE* file)
{
    return file->atEnd;
}

int ferror(FILE* file)
{
    return file->failed;
}

void clearerr(FILE* file)
{
    file->atEnd = file->failed = 0;
}

int ungetc(int c, FILE* file)
{
    if (c == EOF || file->pushed != 0)
        return EOF;
    file->pushed = (unsigned char) c + 1;
    file->atEnd = 0;
    return (unsigned char) c;
}

int fputs(const char* text, FILE* file)
{
    size_t length = strlen(text);

    return length == 0 || fwrite(text, 1, length, file) == length ? 0 : EOF;
}

int fputc(int c, FILE* file)
{
    unsigned char byte = (unsigned char) c;

    return fwrite(&byte, 1, 1, file) == 1 ? byte : EOF;
}

int putchar(int c)
{
    return fputc(c, stdout);
}

int puts(const char* text)
{
    return fputs(text, stdout) == 0 && putchar('\n') != EOF ? 0 : EOF;
}

int fgetc(FILE* file)
{
    unsigned char byte;

    return fread(&byte, 1, 1, file) == 1 ? byte : EOF;
}

int getchar(void)
{
    return fgetc(stdin);
}

char* fgets(char* text, int size, FILE* file)
{
    int i = 0, c = 0;

    while (i < size - 1 && c != '\n' && (c = fgetc(file)) != EOF)
        text[i++] = (char) c;
    if (i == 0)
        return NULL;
    text[i] = '\0';
    return text;
}


/* ---- files ------------------------------------------------------------- */

/* A Macintosh may not close the files of a program that ends: exit calls
 * this, if there are any.
 */

static void _CloseFiles(void)
{
    while (gOpen != NULL)
        fclose(gOpen);
}

static int _Named(const char* name, Str255 pascal_name)
{
    size_t length = strlen(name);

    if (length > 255)
        return 0;
    pascal_name[0] = (unsigned char) length;
    memcpy(pascal_name + 1, name, length);
    return 1;
}

FILE* fopen(const char* name, const char* mode)
{
    Str255 pascal_name;
    short reference;
    FILE* file;

    if (!_Named(name, pascal_name))
        return NULL;
    if (*mode != 'r')
    {
        OSErr error = Create(pascal_name, 0, 0x3f3f3f3f, 0x54455854);   /* '????' 'TEXT' */

        if (error != noErr && error != dupFNErr)
            return NULL;
    }
    if (FSOpen(pascal_name, 0, &reference) != noErr)
        return NULL;
    if (*mode == 'w')
        SetEOF(reference, 0);
    else if (*mode == 'a')
        SetFPos(reference, fsFromLEOF, 0);
    file = (FILE*) malloc(sizeof *file);
    if (file == NULL)
    {
        FSClose(reference);
        return NULL;
    }
    file->fd = -1;
    file->reference = reference;
    file->atEnd = file->failed = file->pushed = 0;
    file->next = gOpen;
    gOpen = file;
    _at_end = _CloseFiles;
    return file;
}

int fclose(FILE* file)
{
    FILE** link = &gOpen;
    OSErr error;

    while (*link != NULL && *link != file)
        link = &(*link)->next;
    if (*link == NULL)
        return EOF;
    *link = file->next;
    error = FSClose(file->reference);
    free(file);
    return error == noErr ? 0 : EOF;
}


/* The places of a file: the File Manager's modes are 1, 2 and 3. */

int fseek(FILE* file, long offset, int from)
{
    if (file->fd >= 0 || from < SEEK_SET || from > SEEK_END)
        return -1;
    if (from == SEEK_CUR && file->pushed != 0)
        offset--;
    file->atEnd = file->pushed = 0;
    return SetFPos(file->reference, from == SEEK_SET ? fsFromStart : from == SEEK_END ? fsFromLEOF
                   : fsFromMark, offset) == noErr ? 0 : -1;
}

long ftell(FILE* file)
{
    long place;

    if (file->fd >= 0 || GetFPos(file->reference, &place) != noErr)
        return -1;
    return place - (file->pushed != 0);
}

void rewind(FILE* file)
{
    fseek(file, 0, SEEK_SET);
    file->failed = 0;
}

int remove(const char* name)
{
    Str255 pascal_name;

    return _Named(name, pascal_name) && FSDelete(pascal_name, 0) == noErr ? 0 : -1;
}

int rename(const char* former, const char* name)
{
    Str255 pascal_former, pascal_name;

    return _Named(former, pascal_former) && _Named(name, pascal_name)
        && Rename(pascal_former, 0, pascal_name) == noErr ? 0 : -1;
}


/* ---- formats ------------------------------------------------------------ */

typedef struct
{
    FILE*   file;               /* where it goes, or NULL: into text */
    char*   text;
    size_t  size;               /* of the text, or of what is held back */
    size_t  held;
    int     count;              /* in all */
    char    buffer[128];
} Output;

static void _Flush(Output* out)
{
    if (out->file != NULL && out->held != 0)
    {
        _Write(out->file, out->buffer, out->held);
        out->held = 0;
    }
}

static void _Put(Output* out, char c)
{
    out->count++;
    if (out->file != NULL)
    {
        out->buffer[out->held++] = c;
        if (out->held == sizeof out->buffer)
            _Flush(out);
    }
    else if (out->held + 1 < out->size)
        out->text[out->held++] = c;
}

static void _Repeat(Output* out, char c, int count)
{
    for (; count > 0; count--)
        _Put(out, c);
}

enum { kLeft = 1, kPlus = 2, kSpace = 4, kOther = 8, kZeros = 16 };

/* A field: sign or 0x, zeros, text; filled up to its width. */

static void _Field(Output* out, const char* sign, int zeros, const char* text, int length,
                   int flags, int width)
{
    int fill = width - (int) strlen(sign) - zeros - length;

    if ((flags & kZeros) != 0 && (flags & kLeft) == 0 && fill > 0)
    {
        zeros += fill;
        fill = 0;
    }
    if ((flags & kLeft) == 0)
        _Repeat(out, ' ', fill);
    for (; *sign != '\0'; sign++)
        _Put(out, *sign);
    _Repeat(out, '0', zeros);
    for (; length > 0; length--)
        _Put(out, *text++);
    if ((flags & kLeft) != 0)
        _Repeat(out, ' ', fill);
}

static void _Integer(Output* out, unsigned long n, const char* sign, unsigned base,
                     const char* figures, int flags, int width, int precision)
{
    char digits[12];
    char* first = digits + sizeof digits;

    for (; n != 0; n /= base)
        *--first = figures[n % base];
    if (precision >= 0)
        flags &= ~kZeros;
    else
        precision = 1;
    precision -= (int) (digits + sizeof digits - first);
    _Field(out, sign, precision > 0 ? precision : 0, first,
           (int) (digits + sizeof digits - first), flags, width);
}

static const char* _Sign(int negative, int flags)
{
    if (negative)
        return "-";
    return (flags & kPlus) != 0 ? "+" : (flags & kSpace) != 0 ? " " : "";
}

static int _Format(Output* out, const char* format, va_list* arguments)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    static const char letters[] = "-+ #0";      /* kLeft to kZeros */

    for (; *format != '\0'; format++)
    {
        int flags = 0, width = 0, precision = -1, isShort = 0;

        if (*format != '%')
        {
            _Put(out, *format);
            continue;
        }
        for (;;)
        {
            const char* place = strchr(letters, *++format);

            if (place == NULL || *place == '\0')
                break;
            flags |= 1 << (place - letters);
        }
        if (*format == '*')
        {
            width = va_arg(*arguments, int);
            if (width < 0)
            {
                flags |= kLeft;
                width = -width;
            }
            format++;
        }
        else
            for (; isdigit(*format); format++)
                width = 10 * width + *format - '0';
        if (*format == '.')
        {
            precision = 0;
            if (*++format == '*')
            {
                precision = va_arg(*arguments, int);
                format++;
            }
            else
                for (; isdigit(*format); format++)
                    precision = 10 * precision + *format - '0';
        }
        for (; *format == 'h' || *format == 'l' || *format == 'z'; format++)
            if (*format == 'h')
                isShort = 1;

        switch (*format)
        {
        case 'd':
        case 'i':
            {
                long n = va_arg(*arguments, long);

                if (isShort)
                    n = (short) n;
                _Integer(out, n < 0 ? -(unsigned long) n : (unsigned long) n,
                         _Sign(n < 0, flags), 10, lower, flags, width, precision);
            }
            break;

        case 'u':
        case 'x':
        case 'X':
        case 'o':
            {
                unsigned long n = va_arg(*arguments, unsigned long);
                const char* sign = "";

                if (isShort)
                    n = (unsigned short) n;
                if ((flags & kOther) != 0 && n != 0)
                    sign = *format == 'x' ? "0x" : *format == 'X' ? "0X" : *format == 'o' ? "0" : "";
                _Integer(out, n, sign, *format == 'u' ? 10 : *format == 'o' ? 8 : 16,
                         *format == 'X' ? upper : lower, flags, width, precision);
            }
            break;

        case 'p':
            _Integer(out, va_arg(*arguments, unsigned long), "0x", 16, lower, flags, width,
                     precision);
            break;

        case 'c':
            {
                char c = (char) va_arg(*arguments, int);

                _Field(out, "", 0, &c, 1, flags & ~kZeros, width);
            }
            break;

        case 's':
            {
                const char* text = va_arg(*arguments, const char*);
                int length = 0;

                if (text == NULL)
                    text = "(null)";
                while ((precision < 0 || length < precision) && text[length] != '\0')
                    length++;
                _Field(out, "", 0, text, length, flags & ~kZeros, width);
            }
            break;

        case 'f':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
            {
                char text[_kFloatText];
                int length = _float_text(text, va_arg(*arguments, double), *format, precision,
                                         flags & kOther);
                int negative = text[0] == '-';

                if (isalpha(text[negative]))        /* infinity, or no number */
                    flags &= ~kZeros;
                _Field(out, _Sign(negative, flags), 0, text + negative, length - negative,
                       flags, width);
            }
            break;

        case '\0':
            return out->count;

        default:
            _Put(out, *format);
        }
    }
    return out->count;
}

int vfprintf(FILE* file, const char* format, va_list arguments)
{
    Output out;
    va_list copy;

    va_copy(copy, arguments);
    out.file = file;
    out.held = 0;
    out.count = 0;
    _Format(&out, format, &copy);
    _Flush(&out);
    va_end(copy);
    return out.count;
}

int vsnprintf(char* text, size_t size, const char* format, va_list arguments)
{
    Output out;
    va_list copy;

    va_copy(copy, arguments);
    out.file = NULL;
    out.text = text;
    out.size = size;
    out.held = 0;
    out.count = 0;
    _Format(&out, format, &copy);
    if (size != 0)
        text[out.held] = '\0';
    va_end(copy);
    return out.count;
}

int vsprintf(char* text, const char* format, va_list arguments)
{
    return vsnprintf(text, 0x7fffffff, format, arguments);
}

int vprintf(const char* format, va_list arguments)
{
    return vfprintf(stdout, format, arguments);
}

#define VARIADIC(call)          \
    {                           \
        va_list arguments;      \
        int count;              \
                                \
        va_start(arguments, format);    \
        count = call;           \
        va_end(arguments);      \
        return count;           \
    }

int printf(const char* format, ...)
VARIADIC(vfprintf(stdout, format, arguments))

int fprintf(FILE* file, const char* format, ...)
VARIADIC(vfprintf(file, format, arguments))

int sprintf(char* text, const char* format, ...)
VARIADIC(vsnprintf(text, 0x7fffffff, format, arguments))

int snprintf(char* text, size_t size, const char* format, ...)
VARIADIC(vsnprintf(text, size, format, arguments))
