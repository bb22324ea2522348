/* Quickdraw.h: drawing. See Types.h for what these headers are. */

#ifndef COMPAT_QUICKDRAW_H
#define COMPAT_QUICKDRAW_H

#include "Types.h"

#include "records/Quickdraw.h"

typedef GrafPort* GrafPtr;

#ifdef __cplusplus
extern "C" {
#endif

extern QDGlobals qd;

void InitGraf(void* thePort);
void InitCursor(void);

void GetPort(GrafPtr* port);
void SetPort(GrafPtr port);

void PenPat(const Pattern* pattern);

void SetRect(Rect* r, short left, short top, short right, short bottom);
void OffsetRect(Rect* r, short dh, short dv);
void FrameRect(const Rect* r);
void PaintRect(const Rect* r);

#ifdef __cplusplus
}
#endif

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef Region** RgnHandle;
typedef Picture** PicHandle;
typedef Polygon** PolyHandle;

enum
{
    srcCopy = 0, srcOr = 1, srcXor = 2, srcBic = 3,
    patCopy = 8, patOr = 9, patXor = 10, patBic = 11
};

enum { normal = 0, bold = 1, italic = 2, underline = 4, outline = 8, shadow = 16 };

/* ports */

void OpenPort(GrafPtr port);
void ClosePort(GrafPtr port);
void SetPortBits(const BitMap* bits);
void SetOrigin(short h, short v);
void SetClip(RgnHandle region);
void GetClip(RgnHandle region);
void ClipRect(const Rect* r);
void BackPat(const Pattern* pattern);
void LocalToGlobal(Point* p);
void GlobalToLocal(Point* p);

/* the pen, and lines */

void HidePen(void);
void ShowPen(void);
void GetPen(Point* p);
void GetPenState(PenState* state);
void SetPenState(const PenState* state);
void PenSize(short width, short height);
void PenMode(short mode);
void PenNormal(void);
void MoveTo(short h, short v);
void Move(short dh, short dv);
void LineTo(short h, short v);
void Line(short dh, short dv);

/* text */

void TextFont(short font);
void TextFace(short face);
void TextMode(short mode);
void TextSize(short size);
void DrawChar(short character);
void DrawString(ConstStr255Param string);
void DrawText(const void* text, short first, short count);
short CharWidth(short character);
short StringWidth(ConstStr255Param string);
short TextWidth(const void* text, short first, short count);
void GetFontInfo(FontInfo* info);

/* rectangles */

void InsetRect(Rect* r, short dh, short dv);
Boolean SectRect(const Rect* a, const Rect* b, Rect* both);
void UnionRect(const Rect* a, const Rect* b, Rect* all);
Boolean EqualRect(const Rect* a, const Rect* b);
Boolean EmptyRect(const Rect* r);
Boolean PtInRect(Point p, const Rect* r);
void Pt2Rect(Point a, Point b, Rect* r);
void EraseRect(const Rect* r);
void InvertRect(const Rect* r);
void FillRect(const Rect* r, const Pattern* pattern);

/* ovals, rounded rectangles, arcs */

void FrameOval(const Rect* r);
void PaintOval(const Rect* r);
void EraseOval(const Rect* r);
void InvertOval(const Rect* r);
void FillOval(const Rect* r, const Pattern* pattern);
void FrameRoundRect(const Rect* r, short width, short height);
void PaintRoundRect(const Rect* r, short width, short height);
void EraseRoundRect(const Rect* r, short width, short height);
void InvertRoundRect(const Rect* r, short width, short height);
void FillRoundRect(const Rect* r, short width, short height, const Pattern* pattern);
void FrameArc(const Rect* r, short start, short angle);
void PaintArc(const Rect* r, short start, short angle);

/* regions */

RgnHandle NewRgn(void);
void DisposeRgn(RgnHandle region);
void OpenRgn(void);
void CloseRgn(RgnHandle region);
void CopyRgn(RgnHandle from, RgnHandle to);
void SetEmptyRgn(RgnHandle region);
void SetRectRgn(RgnHandle region, short left, short top, short right, short bottom);
void RectRgn(RgnHandle region, const Rect* r);
void OffsetRgn(RgnHandle region, short dh, short dv);
void InsetRgn(RgnHandle region, short dh, short dv);
void SectRgn(RgnHandle a, RgnHandle b, RgnHandle both);
void UnionRgn(RgnHandle a, RgnHandle b, RgnHandle all);
void DiffRgn(RgnHandle a, RgnHandle b, RgnHandle rest);
void XorRgn(RgnHandle a, RgnHandle b, RgnHandle either);
Boolean PtInRgn(Point p, RgnHandle region);
Boolean EmptyRgn(RgnHandle region);
Boolean EqualRgn(RgnHandle a, RgnHandle b);
void FrameRgn(RgnHandle region);
void PaintRgn(RgnHandle region);
void EraseRgn(RgnHandle region);
void InvertRgn(RgnHandle region);
void FillRgn(RgnHandle region, const Pattern* pattern);

/* bits */

void ScrollRect(const Rect* r, short dh, short dv, RgnHandle update);
void CopyBits(const BitMap* from, const BitMap* to, const Rect* source,
              const Rect* target, short mode, RgnHandle mask);

/* pictures */

PicHandle OpenPicture(const Rect* frame);
void ClosePicture(void);
void DrawPicture(PicHandle picture, const Rect* target);
void KillPicture(PicHandle picture);

/* odds and ends */

short Random(void);
void SetPt(Point* p, short h, short v);
void AddPt(Point p, Point* sum);
void SubPt(Point p, Point* difference);
Boolean EqualPt(Point a, Point b);
void HideCursor(void);
void ShowCursor(void);
void ObscureCursor(void);
void SetCursor(const Cursor* cursor);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Quickdraw.h"
#include "routines/Quickdraw.h"

#endif
