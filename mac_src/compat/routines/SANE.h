/* Routines of SANE.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <SANE.h>

#ifndef ROUTINES_SANE_H
#define ROUTINES_SANE_H

#ifdef __cplusplus
extern "C" {
#endif

void CStr2Dec(const void* text, short* index, void* number, Boolean* valid);
void Dec2Str(void* form, void* number, unsigned char* text);
void F2DECComp(void* form, const void* source, void* destination);
void F2DECDouble(void* form, const void* source, void* destination);
void F2DECExtended(void* form, const void* source, void* destination);
void F2DECInteger(void* form, const void* source, void* destination);
void F2DECLong(void* form, const void* source, void* destination);
void F2DECSingle(void* form, const void* source, void* destination);
void FABS(void* destination);
void FADDComp(const void* source, void* destination);
void FADDDouble(const void* source, void* destination);
void FADDExtended(const void* source, void* destination);
void FADDInteger(const void* source, void* destination);
void FADDLong(const void* source, void* destination);
void FADDSingle(const void* source, void* destination);
void FANNUITY(void* rate, void* periods, void* destination);
void FATANX(void* destination);
void FCLASSComp(const void* source, void* destination);
void FCLASSDouble(const void* source, void* destination);
void FCLASSExtended(const void* source, void* destination);
void FCLASSInteger(const void* source, void* destination);
void FCLASSLong(const void* source, void* destination);
void FCLASSSingle(const void* source, void* destination);
void FCMPComp(const void* source, void* destination);
void FCMPDouble(const void* source, void* destination);
void FCMPExtended(const void* source, void* destination);
void FCMPInteger(const void* source, void* destination);
void FCMPLong(const void* source, void* destination);
void FCMPSingle(const void* source, void* destination);
void FCOMPOUND(void* rate, void* periods, void* destination);
void FCOSX(void* destination);
void FCPXComp(const void* source, void* destination);
void FCPXDouble(const void* source, void* destination);
void FCPXExtended(const void* source, void* destination);
void FCPXInteger(const void* source, void* destination);
void FCPXLong(const void* source, void* destination);
void FCPXSingle(const void* source, void* destination);
void FCPYSGN(const void* source, void* destination);
void FDEC2Comp(const void* source, void* destination);
void FDEC2Double(const void* source, void* destination);
void FDEC2Extended(const void* source, void* destination);
void FDEC2Integer(const void* source, void* destination);
void FDEC2Long(const void* source, void* destination);
void FDEC2Single(const void* source, void* destination);
void FDIVComp(const void* source, void* destination);
void FDIVDouble(const void* source, void* destination);
void FDIVExtended(const void* source, void* destination);
void FDIVInteger(const void* source, void* destination);
void FDIVLong(const void* source, void* destination);
void FDIVSingle(const void* source, void* destination);
void FEXP1X(void* destination);
void FEXP21X(void* destination);
void FEXP2X(void* destination);
void FEXPX(void* destination);
void FGETENV(void* destination);
void FGETHV(void* destination);
void FLN1X(void* destination);
void FLNX(void* destination);
void FLOG21X(void* destination);
void FLOG2X(void* destination);
void FLOGB(void* destination);
void FMULComp(const void* source, void* destination);
void FMULDouble(const void* source, void* destination);
void FMULExtended(const void* source, void* destination);
void FMULInteger(const void* source, void* destination);
void FMULLong(const void* source, void* destination);
void FMULSingle(const void* source, void* destination);
void FNEG(void* destination);
void FNEXTDouble(const void* source, void* destination);
void FNEXTExtended(const void* source, void* destination);
void FNEXTSingle(const void* source, void* destination);
void FPROCENTRY(void* destination);
void FPROCEXIT(void* destination);
void FRANDX(void* destination);
void FREMComp(const void* source, void* destination);
void FREMDouble(const void* source, void* destination);
void FREMExtended(const void* source, void* destination);
void FREMInteger(const void* source, void* destination);
void FREMLong(const void* source, void* destination);
void FREMSingle(const void* source, void* destination);
void FRINT(void* destination);
void FSCALB(const void* source, void* destination);
void FSCALBI(const void* source, void* destination);
void FSETENV(void* destination);
void FSETHV(void* destination);
void FSETXCP(void* destination);
void FSINX(void* destination);
void FSQRT(void* destination);
void FSUBComp(const void* source, void* destination);
void FSUBDouble(const void* source, void* destination);
void FSUBExtended(const void* source, void* destination);
void FSUBInteger(const void* source, void* destination);
void FSUBLong(const void* source, void* destination);
void FSUBSingle(const void* source, void* destination);
void FTANX(void* destination);
void FTESTXCP(void* destination);
void FTINT(void* destination);
void FTOXComp(const void* source, void* destination);
void FTOXDouble(const void* source, void* destination);
void FTOXExtended(const void* source, void* destination);
void FTOXInteger(const void* source, void* destination);
void FTOXLong(const void* source, void* destination);
void FTOXSingle(const void* source, void* destination);
void FXPWRI(const void* source, void* destination);
void FXPWRY(const void* source, void* destination);
void FXTOComp(const void* source, void* destination);
void FXTODouble(const void* source, void* destination);
void FXTOExtended(const void* source, void* destination);
void FXTOInteger(const void* source, void* destination);
void FXTOLong(const void* source, void* destination);
void FXTOSingle(const void* source, void* destination);
void PStr2Dec(ConstStr255Param text, short* index, void* number, Boolean* valid);

#ifdef __cplusplus
}
#endif

#endif
