// toolbox.h
//
// The Toolbox, and what one or another set of its interfaces leaves out.

#ifndef PORT_CHECK_TOOLBOX_H
#define PORT_CHECK_TOOLBOX_H

#include <Types.h>
#include <Quickdraw.h>
#include <Dialogs.h>
#include <Events.h>
#include <Files.h>
#include <Fonts.h>
#include <Gestalt.h>
#include <Memory.h>
#include <Menus.h>
#include <OSUtils.h>
#include <TextEdit.h>
#include <Timer.h>
#include <ToolUtils.h>
#include <Windows.h>

#if defined(powerc) || defined(__powerc) || defined(__POWERPC__) || defined(__PPC__)
#define PORT_CHECK_POWERPC 1
#else
#define PORT_CHECK_POWERPC 0
#endif

#ifdef COMPAT_OSUTILS_H
#define PORT_CHECK_TOOLCHAIN "macproof"

#elif defined(__GNUC__)
#define PORT_CHECK_TOOLCHAIN "Retro68"
#else
#define PORT_CHECK_TOOLCHAIN "another toolchain"
#endif

#endif
