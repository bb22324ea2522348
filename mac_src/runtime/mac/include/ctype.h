/* ctype.h: as much of the C library as the runtime has. */

#ifndef MAC_CTYPE_H
#define MAC_CTYPE_H


#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

int isdigit(int c);
int isspace(int c);
int isalpha(int c);
int toupper(int c);
int tolower(int c);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
