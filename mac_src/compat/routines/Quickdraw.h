/* Routines of Quickdraw.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_QUICKDRAW_H
#define ROUTINES_QUICKDRAW_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct BitMap;
struct ColorTable;
struct FontInfo;
struct GrafPort;
struct Pattern;
struct PixMap;
struct Polygon;
struct Region;

void AddSearch(ProcPtr searchProc);
void BackColor(long color);
OSErr BitMapRgn(struct Region** region, const struct BitMap* bMap);
OSErr BitMapToRegion(struct Region** region, const struct BitMap* bMap);
void CalcMask(void* srcPtr, void* dstPtr, short srcRow, short dstRow, short height, short words);
void CharExtra(Fixed extra);
void ClosCPort(void* port);
void CloseCPort(void* port);
void ClosePgon(void);
void ClosePoly(void);
long Color2Index(void* color);
void ColorBit(short whichBit);
void CopyDeepMask(const struct BitMap* srcBits, const struct BitMap* maskBits, const struct BitMap* dstBits, const Rect* srcRect, const Rect* maskRect, const Rect* dstRect, short mode, struct Region** maskRgn);
void CopyMask(const struct BitMap* srcBits, const struct BitMap* maskBits, const struct BitMap* dstBits, const Rect* srcRect, const Rect* maskRect, const Rect* dstRect);
void CopyPixMap(struct PixMap** srcPM, struct PixMap** dstPM);
void DelSearch(ProcPtr searchProc);
long DeltaPoint(Point ptA, Point ptB);
void DisposCTable(struct ColorTable** cTable);
void DisposPixMap(struct PixMap** pm);
void DisposRgn(struct Region** rgn);
void DisposeCTable(struct ColorTable** cTable);
void DisposePixMap(struct PixMap** pm);
void EraseArc(const Rect* r, short startAngle, short arcAngle);
void ErasePoly(struct Polygon** poly);
void FillArc(const Rect* r, short startAngle, short arcAngle, const struct Pattern* pat);
void FillPoly(struct Polygon** poly, const struct Pattern* pat);
void ForeColor(long color);
void FramePoly(struct Polygon** poly);
void GetBackColor(void* color);
void GetCPixel(short h, short v, void* cPix);
struct ColorTable** GetCTable(short ctID);
Handle GetDeviceList(void);
void GetForeColor(void* color);
Handle GetGDevice(void);
Handle GetMainDevice(void);
Handle GetMaxDevice(const Rect* globalRect);
Handle GetNextDevice(Handle curDevice);
Boolean GetPixel(short h, short v);
void GetSubTable(struct ColorTable** myColors, short iTabRes, struct ColorTable** targetTbl);
void GrafDevice(short device);
short HasDepth(Handle gd, short depth, short whichFlags, short flags);
void Index2Color(long index, void* color);
void InitCPort(void* port);
void InitPort(struct GrafPort* port);
void InverRgn(struct Region** rgn);
void InvertArc(const Rect* r, short startAngle, short arcAngle);
void InvertColor(void* color);
void InvertPoly(struct Polygon** poly);
void KillPoly(struct Polygon** poly);
void MakeITable(struct ColorTable** cTabH, Handle iTabH, short res);
void MapPoly(struct Polygon** poly, const Rect* srcRect, const Rect* dstRect);
void MapPt(Point* pt, const Rect* srcRect, const Rect* dstRect);
void MapRect(Rect* r, const Rect* srcRect, const Rect* dstRect);
void MapRgn(struct Region** rgn, const Rect* srcRect, const Rect* dstRect);
void MeasureText(short count, void* textAddr, void* charLocs);
void MovePortTo(short leftGlobal, short topGlobal);
struct PixMap** NewPixMap(void);
void OffsetPoly(struct Polygon** poly, short dh, short dv);
void OfsetRgn(struct Region** rgn, short dh, short dv);
void OpenCPort(void* port);
struct Polygon** OpenPoly(void);
void PaintPoly(struct Polygon** poly);
void PicComment(short kind, short dataSize, Handle dataHandle);
void PortSize(short width, short height);
void PtToAngle(const Rect* r, Point pt, short* angle);
short QDError(void);
void RGBBackColor(void* color);
void RGBForeColor(void* color);
Boolean RealColor(void* color);
Boolean RectInRgn(const Rect* r, struct Region** rgn);
void ScalePt(Point* pt, const Rect* srcRect, const Rect* dstRect);
void SeedFill(void* srcPtr, void* dstPtr, short srcRow, short dstRow, short height, short words, short seedH, short seedV);
void SetCPixel(short h, short v, void* cPix);
short SetDepth(Handle gd, short depth, short whichFlags, short flags);
void SetGDevice(Handle gd);
void SetPortPix(struct PixMap** pm);
void SetRecRgn(struct Region** rgn, short left, short top, short right, short bottom);
void SetStdCProcs(void* procs);
void SetStdProcs(void* procs);
void ShieldCursor(const Rect* shieldRect, Point offsetPt);
void SpaceExtra(Fixed extra);
void StdArc(Byte verb, const Rect* r, short startAngle, short arcAngle);
void StdBits(const struct BitMap* srcBits, const Rect* srcRect, const Rect* dstRect, short mode, struct Region** maskRgn);
void StdComment(short kind, short dataSize, Handle dataHandle);
void StdLine(Point newPt);
void StdOval(Byte verb, const Rect* r);
void StdPoly(Byte verb, struct Polygon** poly);
void StdRRect(Byte verb, const Rect* r, short ovalWidth, short ovalHeight);
void StdRect(Byte verb, const Rect* r);
void StdRgn(Byte verb, struct Region** rgn);
void StdText(short byteCount, void* textBuf, Point numer, Point denom);
short StdTxMeas(short byteCount, void* textAddr, Point* numer, Point* denom, struct FontInfo* info);
void StuffHex(void* thingPtr, ConstStr255Param s);
Boolean TestDeviceAttribute(Handle gdh, short attribute);

#ifdef __cplusplus
}
#endif

#endif
