/* stdlib.h of a port whose old program has a double of 12 bytes. */

#ifndef DOUBLES_STDLIB_H
#define DOUBLES_STDLIB_H

#define atof atof_of_8_bytes
#define strtod strtod_of_8_bytes
#include_next <stdlib.h>
#undef atof
#undef strtod

#ifdef __cplusplus
extern "C" {
#endif

double atof(const char* text);
double strtod(const char* text, char** end);

#ifdef __cplusplus
}
#endif

#endif
