/* TextUtils.h: the later home of some routines. */

#include <Packages.h>
#include <ToolUtils.h>
#include <Script.h>
#include <NumberFormatting.h>
#include <StringCompare.h>
#include <DateTimeUtils.h>
#include <Strings.h>
