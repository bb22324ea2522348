/* Routines of AEPackObject.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <AEPackObject.h>

#ifndef ROUTINES_AEPACKOBJECT_H
#define ROUTINES_AEPACKOBJECT_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CreateCompDescriptor(OSType comparisonOperator, AEDesc* operand1, AEDesc* operand2, Boolean disposeInputs, AEDesc* theDescriptor);
OSErr CreateLogicalDescriptor(AEDesc* theLogicalTerms, OSType theLogicOperator, Boolean disposeInputs, AEDesc* theDescriptor);
OSErr CreateObjSpecifier(OSType desiredClass, AEDesc* theContainer, OSType keyForm, AEDesc* keyData, Boolean disposeInputs, AEDesc* objSpecifier);
OSErr CreateOffsetDescriptor(long theOffset, AEDesc* theDescriptor);
OSErr CreateRangeDescriptor(AEDesc* rangeStart, AEDesc* rangeStop, Boolean disposeInputs, AEDesc* theDescriptor);

#ifdef __cplusplus
}
#endif

#endif
