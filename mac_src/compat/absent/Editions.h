/* Routines of Editions.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Editions.h>

#ifndef ABSENT_EDITIONS_H
#define ABSENT_EDITIONS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr NewSection(const EditionContainerSpec *container, const FSSpec *document, SectionType kind, long sectionID, UpdateMode mode, SectionHandle *section);
OSErr RegisterSection(const FSSpec *document, SectionHandle section, Boolean *aliasWasUpdated);
OSErr UnRegisterSection(SectionHandle section);
OSErr IsRegisteredSection(SectionHandle section);
OSErr AssociateSection(SectionHandle section, const FSSpec *document);
OSErr CreateEditionContainerFile(const FSSpec *edition, OSType creator, short script);
OSErr DeleteEditionContainerFile(const FSSpec *edition);
OSErr OpenEdition(SectionHandle section, EditionRefNum *edition);
OSErr OpenNewEdition(SectionHandle section, OSType creator, const FSSpec *document, EditionRefNum *edition);
OSErr CloseEdition(EditionRefNum edition, Boolean successful);
OSErr EditionHasFormat(EditionRefNum edition, OSType format, Size *size);
OSErr ReadEdition(EditionRefNum edition, OSType format, void *buffer, Size *size);
OSErr WriteEdition(EditionRefNum edition, OSType format, const void *buffer, Size size);
OSErr GetEditionFormatMark(EditionRefNum edition, OSType format, unsigned long *mark);
OSErr SetEditionFormatMark(EditionRefNum edition, OSType format, unsigned long mark);
OSErr GetEditionInfo(SectionHandle section, void *info);
OSErr GoToPublisherSection(const EditionContainerSpec *container);
OSErr GetLastEditionContainerUsed(EditionContainerSpec *container);
OSErr GetStandardFormats(const EditionContainerSpec *container, OSType *preview, Handle dialog, Handle alias, Handle formats);
OSErr GetEditionOpenerProc(ProcPtr *opener);
OSErr SetEditionOpenerProc(ProcPtr opener);
OSErr NewSubscriberDialog(void *reply);
OSErr NewPublisherDialog(void *reply);
OSErr SectionOptionsDialog(void *reply);

#ifdef __cplusplus
}
#endif

#endif
