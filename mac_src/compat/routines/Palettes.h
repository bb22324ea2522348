/* Routines of Palettes.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Palettes.h>

#ifndef ROUTINES_PALETTES_H
#define ROUTINES_PALETTES_H

#ifdef __cplusplus
extern "C" {
#endif

void ActivatePalette(WindowPtr srcWindow);
void AnimateEntry(WindowPtr dstWindow, short dstEntry, const RGBColor* srcRGB);
void AnimatePalette(WindowPtr dstWindow, CTabHandle srcCTab, short srcIndex, short dstEntry, short dstLength);
void CTab2Palette(CTabHandle srcCTab, PaletteHandle dstPalette, short srcUsage, short srcTolerance);
void CopyPalette(PaletteHandle srcPalette, PaletteHandle dstPalette, short srcEntry, short dstEntry, short dstLength);
void DisposePalette(PaletteHandle srcPalette);
long Entry2Index(short entry);
long GetCTSeed(void);
void GetEntryColor(PaletteHandle srcPalette, short srcEntry, RGBColor* dstRGB);
void GetEntryUsage(PaletteHandle srcPalette, short srcEntry, short* dstUsage, short* dstTolerance);
Boolean GetGray(GDHandle device, const RGBColor* backGround, RGBColor* foreGround);
PaletteHandle GetNewPalette(short PaletteID);
PaletteHandle GetPalette(WindowPtr srcWindow);
void InitPalettes(void);
void NSetPalette(WindowPtr dstWindow, PaletteHandle srcPalette, Boolean cUpdates);
PaletteHandle NewPalette(short entries, CTabHandle srcColors, short srcUsage, short srcTolerance);
short PMgrVersion(void);
void Palette2CTab(PaletteHandle srcPalette, CTabHandle dstCTab);
void PmBackColor(short dstEntry);
void PmForeColor(short dstEntry);
void ProtectEntry(short index, Boolean protect);
void ReserveEntry(short index, Boolean reserve);
void ResizePalette(PaletteHandle p, short size);
void RestoreBack(const ColorSpec* c);
void RestoreDeviceClut(GDHandle gd);
void RestoreEntries(CTabHandle srcTable, CTabHandle dstTable, ReqListRec* selection);
void RestoreFore(const ColorSpec* c);
void SaveBack(ColorSpec* c);
void SaveEntries(CTabHandle srcTable, CTabHandle resultTable, ReqListRec* selection);
void SaveFore(ColorSpec* c);
void SetDeviceAttribute(GDHandle gdh, short attribute, Boolean value);
void SetEntries(short start, short count, ColorSpec* aTable);
void SetEntryColor(PaletteHandle dstPalette, short dstEntry, const RGBColor* srcRGB);
void SetEntryUsage(PaletteHandle dstPalette, short dstEntry, short srcUsage, short srcTolerance);
void SetPalette(WindowPtr dstWindow, PaletteHandle srcPalette, Boolean cUpdates);

#ifdef __cplusplus
}
#endif

#endif
