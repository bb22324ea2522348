/* Editions.h: the Edition Manager. See Types.h for what these headers are. */

#ifndef COMPAT_EDITIONS_H
#define COMPAT_EDITIONS_H

#include <Types.h>
#include <Memory.h>
#include <Files.h>
#include <Aliases.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef short SectionType;
typedef unsigned long TimeStamp;
typedef Handle EditionRefNum;
typedef short UpdateMode;

enum { curEditionMgrVers = 0x0011, stSubscriber = 1, stPublisher = 10, sumAutomatic = 0,
       sumManual = 1, pumOnSave = 0, pumManual = 1, kPartsNotUsed = 0, kPartNumberUnknown = -1,
       kPreviewWidth = 120, kPreviewHeight = 120, kPublisherDocAliasFormat = 'alis',
       kPreviewFormat = 'prvw', kFormatListFormat = 'fmts', rSectionType = 'sect',
       sectionEventMsgClass = 'sect', sectionReadMsgID = 'read', sectionWriteMsgID = 'writ',
       sectionScrollMsgID = 'scrl', sectionCancelMsgID = 'cncl' };

typedef struct SectionRecord
{
    SignedByte version;
    SectionType kind;
    UpdateMode mode;
    TimeStamp mdDate;
    long sectionID, refCon;
    AliasHandle alias;
    long subPart;
    struct SectionRecord** nextSection;
    Handle controlBlock;
    EditionRefNum refNum;
} SectionRecord, *SectionPtr, **SectionHandle;

typedef struct EditionContainerSpec
{
    FSSpec theFile;
    short theFileScript;
    long thePart;
    Str31 thePartName;
    short thePartScript;
} EditionContainerSpec, *EditionContainerSpecPtr;

#include "callbacks/Editions.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Editions.h"
#include "absent/Editions.h"

#endif
