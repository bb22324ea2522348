/* math.h: as much of the C library as the runtime has. */

#ifndef MAC_MATH_H
#define MAC_MATH_H


#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

double fabs(double x);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
