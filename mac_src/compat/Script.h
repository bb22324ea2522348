/* Script.h: the Script Manager. See Types.h for what these headers are. */

#ifndef COMPAT_SCRIPT_H
#define COMPAT_SCRIPT_H

#include <Types.h>
#include <Memory.h>
#include <Quickdraw.h>
#include <OSUtils.h>
#include <IntlResources.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum                            /* scripts */
{
    smSystemScript = -1, smCurrentScript = -2, smAllScripts = -3,
    smRoman = 0, smJapanese, smTradChinese, smKorean, smArabic, smHebrew, smGreek, smCyrillic,
    smRSymbol, smDevanagari, smGurmukhi, smGujarati, smThai = 21, smSimpChinese = 25, smTibetan,
    smMongolian, smGeez, smEastEurRoman = 29, smVietnamese = 30, smExtArabic = 31,
    smUninterp = 32, smEthiopic = 28, smChinese = 2
};
enum                            /* languages */
{
    langUnspecified = -1, langEnglish = 0, langFrench, langGerman, langItalian, langDutch,
    langSwedish, langSpanish, langDanish, langPortuguese, langNorwegian, langHebrew, langJapanese,
    langArabic, langFinnish, langGreek, langIcelandic, langMaltese, langTurkish, langCroatian,
    langTradChinese, langUrdu, langHindi, langThai, langKorean, langLithuanian, langPolish,
    langHungarian, langEstonian, langLatvian, langSimpChinese = 33
};
enum                            /* countries */
{
    verUS = 0, verFrance, verBritain, verGermany, verItaly, verNetherlands, verBelgiumLux,
    verSweden, verSpain, verDenmark, verPortugal, verFrCanada, verNorway, verIsrael, verJapan,
    verAustralia, verArabic, verFinland, verFrSwiss, verGrSwiss, verGreece, verIceland, verMalta,
    verCyprus, verTurkey, verYugoCroatian, verIndiaHindi = 33, verPakistan = 34, verLithuania = 41,
    verPoland, verHungary, verEstonia, verLatvia, verLapland, verFaeroeIsl, verIran, verRussia,
    verIreland, verKorea, verChina, verTaiwan, verThailand, minCountry = 0, maxCountry = 54
};
enum                            /* verbs for the Script Manager */
{
    smVersion = 0, smMunged = 2, smEnabled = 4, smBidirect = 6, smFontForce = 8, smIntlForce = 10,
    smForced = 12, smDefault = 14, smPrint = 16, smSysScript = 18, smLastScript = 20,
    smKeyScript = 22, smSysRef = 24, smKeyCache = 26, smKeySwap = 28, smGenFlags = 30,
    smOverride = 32, smCharPortion = 34, smDoubleByte = 36, smKCHRCache = 38, smRegionCode = 40,
    smKeyDisableState = 42
};
enum                            /* verbs for a script */
{
    smScriptVersion = 0, smScriptMunged = 2, smScriptEnabled = 4, smScriptRight = 6,
    smScriptJust = 8, smScriptRedraw = 10, smScriptSysFond = 12, smScriptAppFond = 14,
    smScriptBundle = 16, smScriptNumber = 16, smScriptDate = 18, smScriptSort = 20,
    smScriptFlags = 22, smScriptToken = 24, smScriptEncoding = 26, smScriptLang = 28,
    smScriptNumDate = 30, smScriptKeys = 32, smScriptIcon = 34, smScriptPrint = 36,
    smScriptTrap = 38, smScriptCreator = 40, smScriptFile = 42, smScriptName = 44,
    smScriptMonoFondSize = 78, smScriptPrefFondSize = 80, smScriptSmallFondSize = 82,
    smScriptSysFondSize = 84, smScriptAppFondSize = 86, smScriptHelpFondSize = 88,
    smScriptValidStyles = 90, smScriptAliasStyle = 92
};
enum                            /* keyboards */
{
    smKeyNextKybd = -1, smKeyNextScript = -1, smKeySysScript = -2, smKeySwapScript = -3,
    smKeyNextKybdInScript = -4, smKeySwapKybd = -5, smKeyDisableKybds = -6,
    smKeyEnableKybds = -7, smKeyToggleInline = -8, smKeyToggleDirection = -9,
    smKeyRoman = -17, smKeySetDirLeftRight = -15, smKeySetDirRightLeft = -16
};
enum                            /* bytes and characters */
{
    smSingleByte = 0, smFirstByte = -1, smLastByte = 1, smMiddleByte = 2,
    smcTypeMask = 0x000F, smcReserved = 0x00F0, smcClassMask = 0x0F00, smcOrientationMask = 0x1000,
    smcRightMask = 0x2000, smcUpperMask = 0x4000, smcDoubleMask = 0x8000,
    smCharPunct = 0, smCharAscii = 1, smCharEuro = 7, smCharExtAscii = 7,
    smPunctNormal = 0, smPunctNumber = 0x100, smPunctSymbol = 0x200, smPunctBlank = 0x300,
    smCharHorizontal = 0, smCharVertical = 0x1000, smCharLeft = 0, smCharRight = 0x2000,
    smCharLower = 0, smCharUpper = 0x4000, smChar1byte = 0, smChar2byte = 0x8000
};
enum                            /* Transliterate */
{
    smTransAscii = 0, smTransNative = 1, smTransCase = 0xFE, smTransSystem = 0xFF,
    smTransLower = 0x4000, smTransUpper = 0x8000, smMaskAscii = 1, smMaskNative = 2,
    smMaskAll = -1, smTransAscii1 = 2, smTransAscii2 = 3
};
enum { romanSysFond = 0x3FFF, romanAppFond = 3, romanFlags = 7, smFondStart = 0x4000,
       smFondEnd = 0xC000, smUprHalfCharSet = 0x80 };
enum { smfNatCase = 31, smfContext = 27, smfIsShared = 15, smfShift = 8 };
enum { smOnlyStyleRun = 0, smLeftStyleRun, smRightStyleRun, smMiddleStyleRun, smHilite = 0,
       smLeftCaret = 0, smRightCaret = -1, leftCaret = 0, rightCaret = -1 };
enum { truncEnd = 0, truncMiddle = 0x4000, smTruncEnd = 0, smTruncMiddle = 0x4000,
       truncErr = -1, notTruncated = 0, truncated = 1, smTruncErr = -1, smNotTruncated = 0,
       smTruncated = 1 };
enum { breakWord = 0, breakChar, breakOverflow, smBreakWord = 0, smBreakChar, smBreakOverflow };

typedef struct OffsetPair       { short offFirst, offSecond; } OffsetPair;
typedef OffsetPair              OffsetTable[3];
typedef struct NBreakTable      { SignedByte flags1, flags2; short version, classTableOff, auxCTableOff, backwdTableOff, forwdTableOff, doBackup, length; char charTypes[256]; short tables[1]; } NBreakTable, *NBreakTablePtr;
typedef struct BreakTable       { char charTypes[256]; short tripleLength, triples[1]; } BreakTable, *BreakTablePtr;
typedef SignedByte              StyledLineBreakCode;
typedef short                   TruncCode, JustStyleCode;

typedef struct DateCacheRecord  { short hidden[256]; } DateCacheRecord, *DateCachePtr;
typedef short                   StringToDateStatus, ToggleResults;
enum { fatalDateTime = 0x8000, longDateFound = 1, leftOverChars = 2, sepNotIntlSep = 4,
       fieldOrderNotIntl = 8, extraneousStrings = 16, tooManySeps = 32, sepNotConsistent = 64,
       tokenErr = 0x8100, cantReadUtilities = 0x8200, dateTimeNotFound = 0x8400,
       dateTimeInvalid = 0x8800 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Script.h"

#endif
