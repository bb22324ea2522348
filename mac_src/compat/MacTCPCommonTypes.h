/* MacTCPCommonTypes.h: what the headers of MacTCP share. See Types.h for what these headers are. */

#ifndef COMPAT_MACTCPCOMMONTYPES_H
#define COMPAT_MACTCPCOMMONTYPES_H

#include <Types.h>
#include <Files.h>

typedef unsigned char b_8;
typedef unsigned short b_16;
typedef unsigned long b_32, ip_addr;
typedef unsigned short ip_port, tcp_port, udp_port;
typedef unsigned long StreamPtr;

enum
{
    inProgress = 1, ipBadLapErr = -23000, ipBadCnfgErr = -23001, ipNoCnfgErr = -23002,
    ipLoadErr = -23003, ipBadAddr = -23004, connectionClosing = -23005, invalidLength = -23006,
    connectionExists = -23007, connectionDoesntExist = -23008, insufficientResources = -23009,
    invalidStreamPtr = -23010, streamAlreadyOpen = -23011, connectionTerminated = -23012,
    invalidBufPtr = -23013, invalidRDS = -23014, openFailed = -23015, commandTimeout = -23016,
    duplicateSocket = -23017, ipDontFragErr = -23032, ipDestDeadErr = -23033, icmpEchoTimeoutErr = -23035,
    nameSyntaxErr = -23041, cacheFault = -23042, noResultProc = -23043, noNameServer = -23044,
    authNameErr = -23045, noAnsErr = -23046, dnrErr = -23047, outOfMemory = -23048
};

#endif
