/* Routines of StandardFile.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <StandardFile.h>

#ifndef ROUTINES_STANDARDFILE_H
#define ROUTINES_STANDARDFILE_H

#ifdef __cplusplus
extern "C" {
#endif

void CustomGetFile(ProcPtr fileFilter, short numTypes, void* typeList, StandardFileReply* reply, short dlgID, Point where, ProcPtr dlgHook, ProcPtr filterProc, void* activeList, ProcPtr activateProc, void* yourDataPtr);
void CustomPutFile(ConstStr255Param prompt, ConstStr255Param defaultName, StandardFileReply* reply, short dlgID, Point where, ProcPtr dlgHook, ProcPtr filterProc, void* activeList, ProcPtr activateProc, void* yourDataPtr);
void SFGetFile(Point where, ConstStr255Param prompt, ProcPtr fileFilter, short numTypes, void* typeList, ProcPtr dlgHook, SFReply* reply);
void SFPGetFile(Point where, ConstStr255Param prompt, ProcPtr fileFilter, short numTypes, void* typeList, ProcPtr dlgHook, SFReply* reply, short dlgID, ProcPtr filterProc);
void SFPPutFile(Point where, ConstStr255Param prompt, ConstStr255Param origName, ProcPtr dlgHook, SFReply* reply, short dlgID, ProcPtr filterProc);
void SFPutFile(Point where, ConstStr255Param prompt, ConstStr255Param origName, ProcPtr dlgHook, SFReply* reply);
void StandardGetFile(ProcPtr fileFilter, short numTypes, void* typeList, StandardFileReply* reply);
void StandardPutFile(ConstStr255Param prompt, ConstStr255Param defaultName, StandardFileReply* reply);

#ifdef __cplusplus
}
#endif

#endif
