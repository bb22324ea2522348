/* findings.c
 *
 * Keeps the first finding of each kind at each place of the code.
 */

#include "findings.h"

struct findings macproof_findings;

struct finding *macproof_new_finding(enum kind kind, void *code)
{
    struct finding *one = macproof_findings.kept;
    struct finding *end = one + macproof_findings.count;

    for (; one != end; one++)
        if (one->kind == kind && one->code == (unsigned long) code)
            return 0;
    if (macproof_findings.count == FINDINGS_KEPT)
        return 0;
    macproof_findings.count++;
    one->kind = kind;
    one->code = (unsigned long) code;
    return one;
}
