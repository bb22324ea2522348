/* Routines of Aliases.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_ALIASES_H
#define ROUTINES_ALIASES_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct FSSpec;

OSErr GetAliasInfo(Handle alias, short index, ConstStr255Param theString);
OSErr MatchAlias(void* fromFile, long rulesMask, Handle alias, short* aliasCount, void* aliasList, Boolean* needsUpdate, ProcPtr aliasFilter, void* yourDataPtr);
OSErr NewAlias(void* fromFile, const struct FSSpec* target, Handle* alias);
OSErr NewAliasMinimal(const struct FSSpec* target, Handle* alias);
OSErr ResolveAlias(void* fromFile, Handle alias, struct FSSpec* target, Boolean* wasChanged);
OSErr ResolveAliasFile(struct FSSpec* theSpec, Boolean resolveAliasChains, Boolean* targetIsFolder, Boolean* wasAliased);
OSErr UpdateAlias(void* fromFile, const struct FSSpec* target, Handle alias, Boolean* wasChanged);

#ifdef __cplusplus
}
#endif

#endif
