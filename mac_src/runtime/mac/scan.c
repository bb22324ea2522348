/* scan.c: numbers and words from text: strtod, and scanf with its relatives. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* ---- floating point ----------------------------------------------------- */

/* Exact for up to 15 digits with a power of 10 up to 22; otherwise the last
 * bits may differ from the nearest number.
 */

static double _Scaled(double value, int power)
{
    double factor = 10.0, by = 1.0;
    int n = power < 0 ? -power : power;

    if (value == 0.0)
        return value;
    for (; n > 22; n -= 22)
        value = power < 0 ? value / 1e22 : value * 1e22;
    for (; n != 0; n >>= 1, factor *= factor)
        if ((n & 1) != 0)
            by *= factor;
    return power < 0 ? value / by : value * by;
}

double strtod(const char* text, char** end)
{
    const char* p = text;
    double value = 0.0;
    int negative, digits = 0, kept = 0, power = 0, behind = 0;

    while (isspace((unsigned char) *p))
        p++;
    negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    for (;; p++)
    {
        if (*p == '.' && !behind)
        {
            behind = 1;
            continue;
        }
        if (!isdigit((unsigned char) *p))
            break;
        digits++;
        if (kept < 17)
        {
            value = 10.0 * value + (*p - '0');
            kept += kept != 0 || *p != '0';
            power -= behind;
        }
        else
            power += !behind;
    }
    if (digits == 0)
        p = text;
    else if (*p == 'e' || *p == 'E')
    {
        const char* q = p + 1 + (p[1] == '-' || p[1] == '+');
        int n = 0;

        if (isdigit((unsigned char) *q))
        {
            for (; isdigit((unsigned char) *q); q++)
                if (n < 10000)
                    n = 10 * n + (*q - '0');
            power += p[1] == '-' ? -n : n;
            p = q;
        }
    }
    if (end != NULL)
        *end = (char*) p;
    value = _Scaled(value, power);
    return negative ? -value : value;
}

double atof(const char* text)
{
    return strtod(text, NULL);
}


/* ---- scanf --------------------------------------------------------------- */

typedef struct
{
    FILE*       file;           /* where it comes from, or NULL: from text */
    const char* text;
    int         taken;          /* bytes in all */
} Input;

static int _Take(Input* in)
{
    int c = in->file != NULL ? fgetc(in->file) : *in->text == '\0' ? EOF
        : (unsigned char) *in->text++;

    in->taken += c != EOF;
    return c;
}

static void _Back(Input* in, int c)
{
    if (c == EOF)
        return;
    in->taken--;
    if (in->file != NULL)
        ungetc(c, in->file);
    else
        in->text--;
}

static int _Blank(Input* in)
{
    int c;

    do
        c = _Take(in);
    while (c != EOF && isspace(c));
    _Back(in, c);
    return c;
}

/* Whether a byte belongs to what a conversion takes; before is the byte before it. */

static int _Fits(int kind, int c, int before, const char* set, int length)
{
    int i, not;

    switch (kind)
    {
    case 'c':
        return 1;
    case 's':
        return !isspace(c);
    case '[':
        not = length > 0 && set[0] == '^';
        for (i = not; i < length; i++)
            if (i + 2 < length && set[i + 1] == '-')
            {
                if (c >= (unsigned char) set[i] && c <= (unsigned char) set[i + 2])
                    return !not;
                i += 2;
            }
            else if (c == (unsigned char) set[i])
                return !not;
        return not;
    case 'f':
        return isdigit(c) || c == '.' || c == 'e' || c == 'E'
            || ((c == '-' || c == '+') && (before == 0 || before == 'e' || before == 'E'));
    case 'i':
    case 'x':
        return isxdigit(c) || (before == 0 && (c == '-' || c == '+')) || (before == '0' && (c | 32) == 'x');
    case 'o':
        return (c >= '0' && c < '8') || (before == 0 && (c == '-' || c == '+'));
    default:
        return isdigit(c) || (before == 0 && (c == '-' || c == '+'));
    }
}

enum { kMostOfNumber = 120 };

/* Take what a conversion asks for; how many bytes that are. Without a place
 * nothing is stored.
 */

static int _Word(Input* in, int kind, const char* set, int length, int width, char* place)
{
    int c = EOF, before = 0, count = 0;

    while (count < width && (c = _Take(in)) != EOF)
    {
        if (!_Fits(kind, c, before, set, length))
        {
            _Back(in, c);
            break;
        }
        if (place != NULL)
            place[count] = (char) c;
        count++;
        before = c;
    }
    return count;
}

static void _Store(void* place, unsigned long value, int size)
{
    if (size == 'h')
        *(short*) place = (short) value;
    else
        *(long*) place = (long) value;
}

/* The set of "%[a-z]": where it ends. */

static const char* _Set(const char* format)
{
    const char* p = format + (*format == '^');

    if (*p == ']')
        p++;
    while (*p != '\0' && *p != ']')
        p++;
    return p;
}

static int _Base(int kind)
{
    return kind == 'i' ? 0 : kind == 'x' ? 16 : kind == 'o' ? 8 : 10;
}

/* A number; whether there was one. */

static int _Number(Input* in, int kind, int size, int width, void* place)
{
    char text[kMostOfNumber + 1], *end;
    int count = _Word(in, kind, NULL, 0, width < kMostOfNumber ? width : kMostOfNumber, text);
    double real = 0.0;
    unsigned long whole = 0;

    text[count] = '\0';
    if (kind == 'f')
        real = strtod(text, &end);
    else if (kind == 'd' || kind == 'i')
        whole = (unsigned long) strtol(text, &end, _Base(kind));
    else
        whole = strtoul(text, &end, _Base(kind));
    if (end == text)
        return 0;
    if (place == NULL)
        return 1;
    if (kind != 'f')
        _Store(place, whole, size);
    else if (size == 'l' || size == 'L')
        *(double*) place = real;
    else
        *(float*) place = (float) real;
    return 1;
}

static int _Scan(Input* in, const char* format, va_list* arguments)
{
    int done = 0;

    for (; *format != '\0'; format++)
    {
        int stores = 1, width = 0, size = 0, length = 0, kind, count, c;
        const char* set = NULL;
        void* place;

        if (isspace((unsigned char) *format))
        {
            _Blank(in);
            continue;
        }
        if (*format != '%' || format[1] == '%')
        {
            format += *format == '%';
            c = _Take(in);
            if (c == (unsigned char) *format)
                continue;
            _Back(in, c);
            return c == EOF && done == 0 ? EOF : done;
        }
        if (*++format == '*')
        {
            stores = 0;
            format++;
        }
        for (; isdigit((unsigned char) *format); format++)
            width = 10 * width + *format - '0';
        if (*format == 'h' || *format == 'l' || *format == 'L')
            size = *format++;
        kind = tolower((unsigned char) *format);
        if (kind == '[')
        {
            set = format + 1;
            format = _Set(set);
            length = (int) (format - set);
        }
        if (*format == '\0')
            return done;
        place = stores ? va_arg(*arguments, void*) : NULL;
        if (kind == 'n')
        {
            if (place != NULL)
                _Store(place, (unsigned long) in->taken, size);
            continue;
        }
        c = kind == 'c' || kind == '[' ? 0 : _Blank(in);
        if (c == EOF)
            return done == 0 ? EOF : done;
        if (width == 0)
            width = kind == 'c' ? 1 : 0x7fffffff;
        if (strchr("cs[", kind) != NULL)
        {
            count = _Word(in, kind, set, length, width, (char*) place);
            if (count == 0)
            {
                c = _Take(in);
                _Back(in, c);
                return c == EOF && done == 0 ? EOF : done;
            }
            if (place != NULL && kind != 'c')
                ((char*) place)[count] = '\0';
        }
        else
        {
            if (strchr("efg", kind) != NULL)
                kind = 'f';
            else if (kind == 'p')
                kind = 'x';
            if (strchr("diuxof", kind) == NULL || !_Number(in, kind, size, width, place))
                return done;
        }
        done += stores;
    }
    return done;
}

int vsscanf(const char* text, const char* format, va_list arguments)
{
    Input in = { NULL, NULL, 0 };
    va_list copy;
    int done;

    in.text = text;
    va_copy(copy, arguments);
    done = _Scan(&in, format, &copy);
    va_end(copy);
    return done;
}

int vfscanf(FILE* file, const char* format, va_list arguments)
{
    Input in = { NULL, NULL, 0 };
    va_list copy;
    int done;

    in.file = file;
    va_copy(copy, arguments);
    done = _Scan(&in, format, &copy);
    va_end(copy);
    return done;
}

#define VARIADIC(call)                  \
    {                                   \
        va_list arguments;              \
        int done;                       \
                                        \
        va_start(arguments, format);    \
        done = call;                    \
        va_end(arguments);              \
        return done;                    \
    }

int sscanf(const char* text, const char* format, ...)
VARIADIC(vsscanf(text, format, arguments))

int fscanf(FILE* file, const char* format, ...)
VARIADIC(vfscanf(file, format, arguments))

int scanf(const char* format, ...)
VARIADIC(vfscanf(stdin, format, arguments))
