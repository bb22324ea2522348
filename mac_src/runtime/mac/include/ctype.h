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
int isalnum(int c);
int isupper(int c);
int islower(int c);
int iscntrl(int c);
int isgraph(int c);
int isprint(int c);
int ispunct(int c);
int isxdigit(int c);
int toupper(int c);
int tolower(int c);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
