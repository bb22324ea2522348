/* ConditionalMacros.h: what the compiler and the processor are, as headers of the time told it.
 * Only the processor differs here; 0 stands for everything that is not there.
 */

#ifndef COMPAT_CONDITIONALMACROS_H
#define COMPAT_CONDITIONALMACROS_H

#if defined(__powerpc__) || defined(__PPC__)
#define GENERATINGPOWERPC       1
#define GENERATING68K           0
#define TARGET_CPU_PPC          1
#define TARGET_CPU_68K          0
#define TARGET_RT_MAC_CFM       1
#define GENERATINGCFM           1
#else
#define GENERATINGPOWERPC       0
#define GENERATING68K           1
#define TARGET_CPU_PPC          0
#define TARGET_CPU_68K          1
#define TARGET_RT_MAC_CFM       0
#define GENERATINGCFM           0
#endif

#define GENERATING68881         0
#define CFMSYSTEMCALLS          GENERATINGCFM
#define USESCODEFRAGMENTS       GENERATINGCFM
#define USES68KINLINES          0
#define TARGET_OS_MAC           1
#define TARGET_OS_WIN32         0
#define TARGET_OS_UNIX          0
#define TARGET_RT_LITTLE_ENDIAN 0
#define TARGET_RT_BIG_ENDIAN    1
#define TARGET_API_MAC_OS8      1
#define TARGET_API_MAC_CARBON   0
#define TARGET_CARBON           0
#define PRAGMA_ONCE             0
#define PRAGMA_IMPORT           0
#define PRAGMA_STRUCT_ALIGN     0
#define TYPE_LONGLONG           1
#define TYPE_EXTENDED           0

#ifndef SystemSevenOrLater
#define SystemSevenOrLater      1
#endif
#ifndef SystemSixOrLater
#define SystemSixOrLater        SystemSevenOrLater
#endif
#ifndef OLDROUTINENAMES
#define OLDROUTINENAMES         1
#endif
#ifndef OLDROUTINELOCATIONS
#define OLDROUTINELOCATIONS     1
#endif

#define EXTERN_API(type)            extern type
#define EXTERN_API_C(type)          extern type
#define CALLBACK_API(type, name)    type (*name)
#define CALLBACK_API_C(type, name)  type (*name)

#endif
