/* Routines of Packages.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_PACKAGES_H
#define ROUTINES_PACKAGES_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

long CmpString(void* first, void* second, long lengths);
long CmpStringCase(void* first, void* second, long lengths);
long CmpStringCaseMarks(void* first, void* second, long lengths);
long CmpStringMarks(void* first, void* second, long lengths);
short CompareString(ConstStr255Param aStr, ConstStr255Param bStr, Handle itl2Handle);
short CompareText(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
void DateString(long dateTime, SignedByte longFlag, ConstStr255Param result, Handle intlHandle);
Boolean EqualString(ConstStr255Param str1, ConstStr255Param str2, Boolean caseSens, Boolean diacSens);
Handle GetIntlResource(short theID);
short IUCompString(ConstStr255Param aStr, ConstStr255Param bStr);
void IUDatePString(long dateTime, SignedByte longFlag, ConstStr255Param result, Handle intlHandle);
void IUDateString(long dateTime, SignedByte longFlag, ConstStr255Param result);
short IUEqualString(ConstStr255Param aStr, ConstStr255Param bStr);
Handle IUGetIntl(short theID);
short IUMagIDPString(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
short IUMagIDString(void* aPtr, void* bPtr, short aLen, short bLen);
short IUMagPString(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
short IUMagString(void* aPtr, void* bPtr, short aLen, short bLen);
Boolean IUMetric(void);
void IUTimePString(long dateTime, Boolean wantSeconds, ConstStr255Param result, Handle intlHandle);
void IUTimeString(long dateTime, Boolean wantSeconds, ConstStr255Param result);
short IdenticalString(ConstStr255Param aStr, ConstStr255Param bStr, Handle itl2Handle);
short IdenticalText(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
void InitAllPacks(void);
void InitPack(short packID);
Boolean IsMetric(void);
void LowerText(void* textPtr, short len);
void LowercaseText(void* textPtr, short len, short script);
void LwrText(void* textPtr, short len);
short RelString(ConstStr255Param str1, ConstStr255Param str2, Boolean caseSens, Boolean diacSens);
void StripDiacritics(void* textPtr, short len, short script);
void StripText(void* textPtr, short len);
void StripUpperText(void* textPtr, short len);
void TimeString(long dateTime, Boolean wantSeconds, ConstStr255Param result, Handle intlHandle);
OSErr Transliterate(Handle srcHandle, Handle dstHandle, short target, long srcMask);
OSErr TransliterateText(Handle srcHandle, Handle dstHandle, short target, long srcMask, short script);
void UpperString(unsigned char* theString, Boolean diacSens);
void UpperText(void* textPtr, short len);
void UppercaseStripDiacritics(void* textPtr, short len, short script);
void UppercaseText(void* textPtr, short len, short script);
Ptr UprString(void* text, long length);
Ptr UprStringMarks(void* text, long length);
void UprText(void* textPtr, short len);
void iudatestring(long dateTime, SignedByte longFlag, ConstStr255Param result);
void iutimestring(long dateTime, Boolean wantSeconds, ConstStr255Param result);
void numtostring(long theNum, ConstStr255Param theString);

#ifdef __cplusplus
}
#endif

#endif
