/* IntlResources.h: international resources. See Types.h for what these headers are. */

#ifndef COMPAT_INTLRESOURCES_H
#define COMPAT_INTLRESOURCES_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { currSymLead = 16, currNegSym = 32, currTrailingZ = 64, currLeadingZ = 128,
       zeroCycle = 1, longDay = 0, longWeek, longMonth, longYear, supDay = 1, supWeek = 2,
       supMonth = 4, supYear = 8, dayLdingZ = 32, mntLdingZ = 64, century = 128, secLeadingZ = 32,
       minLeadingZ = 64, hrLeadingZ = 128 };
enum { mdy = 0, dmy, ymd, myd, dym, ydm };
enum { timeCycle24 = 0, timeCycleZero = 1, timeCycle12 = 255 };
enum { shortDate = 0, longDate = 1, abbrevDate = 2 };
enum { iuSystemScript = -1, iuCurrentScript = -2 };
enum { tokLeftQuote = 1, tokRightQuote, tokLeadPlacer, tokLeader, tokNonLeader, tokZeroLead,
       tokPercent, tokPlusSign, tokMinusSign, tokThousands };

typedef SignedByte DateForm;

typedef struct Intl0Rec
{
    char decimalPt, thousSep, listSep, currSym1, currSym2, currSym3;
    unsigned char currFmt, dateOrder, shrtDateFmt;
    char dateSep;
    unsigned char timeCycle, timeFmt;
    char mornStr[4], eveStr[4], timeSep, time1Suff, time2Suff, time3Suff, time4Suff, time5Suff,
         time6Suff, time7Suff, time8Suff;
    unsigned char metricSys;
    short intl0Vers;
} Intl0Rec, *Intl0Ptr, **Intl0Hndl;

typedef struct Intl1Rec
{
    Str15 days[7], months[12];
    unsigned char suppressDay, lngDateFmt, dayLeading0, abbrLen;
    char st0[4], st1[4], st2[4], st3[4], st4[4];
    short intl1Vers, localRtn[1];
} Intl1Rec, *Intl1Ptr, **Intl1Hndl;

typedef struct UntokenTable { short len, lastToken, index[256]; } UntokenTable, *UntokenTablePtr, **UntokenTableHandle;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
