/* Routines of Aliases.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Aliases.h>

#ifndef ROUTINES_ALIASES_H
#define ROUTINES_ALIASES_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr FollowFinderAlias(void* fromFile, AliasHandle alias, Boolean logon, FSSpec* target, Boolean* wasChanged);
OSErr GetAliasInfo(AliasHandle alias, short index, ConstStr255Param theString);
OSErr MatchAlias(void* fromFile, long rulesMask, AliasHandle alias, short* aliasCount, void* aliasList, Boolean* needsUpdate, ProcPtr aliasFilter, void* yourDataPtr);
OSErr NewAlias(void* fromFile, const FSSpec* target, AliasHandle* alias);
OSErr NewAliasMinimal(const FSSpec* target, AliasHandle* alias);
OSErr NewAliasMinimalFromFullPath(short fullPathLength, void* fullPath, StringPtr zoneName, StringPtr serverName, AliasHandle* alias);
OSErr ResolveAlias(void* fromFile, AliasHandle alias, FSSpec* target, Boolean* wasChanged);
OSErr ResolveAliasFile(FSSpec* theSpec, Boolean resolveAliasChains, Boolean* targetIsFolder, Boolean* wasAliased);
OSErr UpdateAlias(void* fromFile, const FSSpec* target, AliasHandle alias, Boolean* wasChanged);

#ifdef __cplusplus
}
#endif

#endif
