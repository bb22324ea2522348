/* TextEdit.h: editing of text. */

#ifndef MAC_TEXTEDIT_H
#define MAC_TEXTEDIT_H

#include <Types.h>
#include <Quickdraw.h>

#include "records/TextEdit.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef TERec** TEHandle;

void TEInit(void);
TEHandle TENew(const Rect* destination, const Rect* view);
void TEDispose(TEHandle text);
void TESetText(const void* text, long length, TEHandle te);
Handle TEGetText(TEHandle te);
void TEKey(short key, TEHandle te);
void TEActivate(TEHandle te);
void TEDeactivate(TEHandle te);
void TEUpdate(const Rect* update, TEHandle te);
void TESetSelect(long start, long end, TEHandle te);
void TEInsert(const void* text, long length, TEHandle te);
void TETextBox(const void* text, long length, const Rect* box, short just);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/TextEdit.h"

#endif
