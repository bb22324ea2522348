/* AEObjects.h: the Object Support Library. See Types.h for what these headers are. */

#ifndef COMPAT_AEOBJECTS_H
#define COMPAT_AEOBJECTS_H

#include <Types.h>
#include <Memory.h>
#include <AppleEvents.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum
{
    kAEAND = 'AND ', kAEOR = 'OR  ', kAENOT = 'NOT ', kAEMiddle = 'midd',
    kAEAny = 'any ', kAENext = 'next', kAEPrevious = 'prev',
    keyAECompOperator = 'relo', keyAELogicalTerms = 'term', keyAELogicalOperator = 'logc',
    keyAEObject1 = 'obj1', keyAEObject2 = 'obj2', keyAEDesiredClass = 'want',
    keyAEContainer = 'from', keyAEKeyForm = 'form', keyAEKeyData = 'seld',
    keyAERangeStart = 'star', keyAERangeStop = 'stop', keyDisposeTokenProc = 'xtok',
    keyAECompareProc = 'cmpr', keyAECountProc = 'cont', keyAEMarkTokenProc = 'mkid',
    keyAEMarkProc = 'mark', keyAEAdjustMarksProc = 'adjm', keyAEGetErrDescProc = 'indc',
    formAbsolutePosition = 'indx', formRelativePosition = 'rele', formTest = 'test',
    formRange = 'rang', formPropertyID = 'prop', formName = 'name', formUniqueID = 'ID  ',
    typeObjectSpecifier = 'obj ', typeCurrentContainer = 'ccnt',
    typeToken = 'toke', typeRelativeDescriptor = 'rel ', typeAbsoluteOrdinal = 'abso',
    typeIndexDescriptor = 'inde', typeRangeDescriptor = 'rang', typeLogicalDescriptor = 'logi',
    typeCompDescriptor = 'cmpd', typeOSLTokenList = 'ostl',
    kAEGreaterThan = '>   ', kAEGreaterThanEquals = '>=  ', kAEEquals = '=   ',
    kAELessThan = '<   ', kAELessThanEquals = '<=  ', kAEBeginsWith = 'bgwt',
    kAEEndsWith = 'ends', kAEContains = 'cont'
};
enum { kAEIDoMinimum = 0, kAEIDoWhose = 1, kAEIDoMarking = 4, kAEPassSubDescs = 8,
       kAEResolveNestedLists = 16, kAEHandleSimpleRanges = 32, kAEUseRelativeIterators = 64 };

#include "callbacks/AEObjects.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/AEObjects.h"

#endif
