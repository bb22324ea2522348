/* Routines of Packages.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Packages.h>

#ifndef ROUTINES_PACKAGES_H
#define ROUTINES_PACKAGES_H

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
short IUCompPString(ConstStr255Param aStr, ConstStr255Param bStr, Handle itl2Handle);
short IUCompString(ConstStr255Param aStr, ConstStr255Param bStr);
void IUDatePString(long dateTime, SignedByte longFlag, ConstStr255Param result, Handle intlHandle);
void IUDateString(long dateTime, SignedByte longFlag, ConstStr255Param result);
short IUEqualPString(ConstStr255Param aStr, ConstStr255Param bStr, Handle itl2Handle);
short IUEqualString(ConstStr255Param aStr, ConstStr255Param bStr);
Handle IUGetIntl(short theID);
void IULDateString(LongDateTime* dateTime, SignedByte longFlag, ConstStr255Param result, Handle intlHandle);
void IULTimeString(LongDateTime* dateTime, Boolean wantSeconds, ConstStr255Param result, Handle intlHandle);
short IULangOrder(short language1, short language2);
short IUMagIDPString(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
short IUMagIDString(void* aPtr, void* bPtr, short aLen, short bLen);
short IUMagPString(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
short IUMagString(void* aPtr, void* bPtr, short aLen, short bLen);
Boolean IUMetric(void);
short IUScriptOrder(short script1, short script2);
short IUStringOrder(ConstStr255Param aStr, ConstStr255Param bStr, short aScript, short bScript, short aLang, short bLang);
short IUTextOrder(void* aPtr, void* bPtr, short aLen, short bLen, short aScript, short bScript, short aLang, short bLang);
void IUTimePString(long dateTime, Boolean wantSeconds, ConstStr255Param result, Handle intlHandle);
void IUTimeString(long dateTime, Boolean wantSeconds, ConstStr255Param result);
short IdenticalString(ConstStr255Param aStr, ConstStr255Param bStr, Handle itl2Handle);
short IdenticalText(void* aPtr, void* bPtr, short aLen, short bLen, Handle itl2Handle);
void InitAllPacks(void);
void InitPack(short packID);
Boolean IsMetric(void);
short LanguageOrder(short language1, short language2);
void LongDateString(LongDateTime* dateTime, SignedByte longFlag, ConstStr255Param result, Handle intlHandle);
void LongTimeString(LongDateTime* dateTime, Boolean wantSeconds, ConstStr255Param result, Handle intlHandle);
void LowerText(const void* textPtr, short len);
void LowercaseText(const void* textPtr, short len, short script);
void LwrText(const void* textPtr, short len);
void NumToString(long theNum, ConstStr255Param theString);
short RelString(ConstStr255Param str1, ConstStr255Param str2, Boolean caseSens, Boolean diacSens);
short ScriptOrder(short script1, short script2);
short StringOrder(ConstStr255Param aStr, ConstStr255Param bStr, short aScript, short bScript, short aLang, short bLang);
void StringToNum(ConstStr255Param theString, long* theNum);
void StripDiacritics(const void* textPtr, short len, short script);
void StripText(const void* textPtr, short len);
void StripUpperText(const void* textPtr, short len);
short TextOrder(void* aPtr, void* bPtr, short aLen, short bLen, short aScript, short bScript, short aLang, short bLang);
void TextUtilFunctions(const void* textPtr, short len, short script, short which);
void TimeString(long dateTime, Boolean wantSeconds, ConstStr255Param result, Handle intlHandle);
OSErr Transliterate(Handle srcHandle, Handle dstHandle, short target, long srcMask);
OSErr TransliterateText(Handle srcHandle, Handle dstHandle, short target, long srcMask, short script);
void UpperString(unsigned char* theString, Boolean diacSens);
void UpperText(const void* textPtr, short len);
void UppercaseStripDiacritics(const void* textPtr, short len, short script);
void UppercaseText(const void* textPtr, short len, short script);
Ptr UprString(const void* text, long length);
Ptr UprStringMarks(const void* text, long length);
void UprText(const void* textPtr, short len);
void iudatestring(long dateTime, SignedByte longFlag, ConstStr255Param result);
void iutimestring(long dateTime, Boolean wantSeconds, ConstStr255Param result);
void numtostring(long theNum, ConstStr255Param theString);

#ifdef __cplusplus
}
#endif

#endif
