"""Result codes of the Toolbox, and the modifier keys of an event, by Apple's own names.

Source: the "Result Codes" of the chapters of Inside Macintosh, and Apple's header Errors.h; for the
modifiers Inside Macintosh: Macintosh Toolbox Essentials, p. 2-20.
"""

from __future__ import annotations

from enum import IntEnum


class ResultCode(IntEnum):
    """What a routine returns, or leaves for MemError and the like; noErr, 0, means success."""

    # Queues, drivers, the clock.
    qErr = -1
    vTypErr = -2
    unimpErr = -4
    controlErr = -17
    statusErr = -18
    readErr = -19
    writErr = -20
    badUnitErr = -21
    dRemovErr = -25
    abortErr = -27
    notOpenErr = -28
    clkWrErr = -86
    # Files.
    dirFulErr = -33
    dskFulErr = -34
    nsvErr = -35
    ioErr = -36
    bdNamErr = -37
    fnOpnErr = -38
    eofErr = -39
    posErr = -40
    tmfoErr = -42
    fnfErr = -43
    wPrErr = -44
    fLckdErr = -45
    fBsyErr = -47
    dupFNErr = -48
    opWrErr = -49
    paramErr = -50
    rfNumErr = -51
    permErr = -54
    volOnLinErr = -55
    nsDrvErr = -56
    wrPermErr = -61
    dirNFErr = -120
    tmwdoErr = -121
    badMovErr = -122
    wrgVolTypErr = -123
    fidNotFound = -1300
    afpItemNotFound = -5012
    # Memory and the scrap.
    noTypeErr = -102
    memFullErr = -108
    nilHandleErr = -109
    memWZErr = -111
    memPurErr = -112
    memLockedErr = -117
    teScrapSizeErr = -501
    # QuickDraw and icons.
    rgnTooBigErr = -147
    pictInfoVersionErr = -11000
    pictureDataErr = -11005
    cDepthErr = -157
    fontNotOutlineErr = -32615
    noMaskFoundErr = -1000
    # Resources.
    CantDecompress = -186
    resourceInMemory = -188
    writingPastEnd = -189
    inputOutOfBounds = -190
    resNotFound = -192
    resFNotFound = -193
    addResFailed = -194
    rmvResFailed = -196
    resAttrErr = -198
    mapReadErr = -199
    # Sound.
    badChannel = -205
    badFormat = -206
    siNoSoundInHardware = -220
    siBadSoundInDevice = -221
    siUnknownInfoType = -231
    # Notifications, slots, processes, help, communication with programs.
    userCanceledErr = -128
    badDragRefErr = -1850
    duplicateHandlerErr = -1855
    handlerNotFoundErr = -1856
    nmTypErr = -299
    smEmptySlot = -300
    smNoMoresRsrcs = -344
    procNotFound = -600
    threadTooManyReqsErr = -617
    threadNotFoundErr = -618
    threadProtocolErr = -619
    noOutstandingHLE = -608
    connectionInvalid = -609
    hmHelpDisabled = -850
    hmBalloonAborted = -853
    hmHelpManagerNotInited = -855
    hmNoBalloonUp = -862
    noPortErr = -903
    # Text services.
    tsmAlreadyRegisteredErr = -2503
    tsmNeverRegisteredErr = -2504
    tsmInvalidDocIDErr = -2505
    tsmDocNotActiveErr = -2507
    tsmNoOpenTSErr = -2508
    tsmCantOpenComponentErr = -2509
    tsmDocumentOpenErr = -2511
    tsmScriptHasNoIMErr = -2517
    tsmUnsupportedTypeErr = -2518
    # Networks.
    noBridgeErr = -93
    nbpNoConfirm = -1025
    nbpNotFound = -1028
    aspNoServers = -1069
    aspParamErr = -1070
    reqFailed = -1096
    cbNotFound = -1102
    extractErr = -3104
    noMPPErr = -3102
    ipBadAddr = -23004
    connectionDoesntExist = -23008
    invalidStreamPtr = -23010
    connectionTerminated = -23012
    openFailed = -23015
    commandTimeout = -23016
    icmpEchoTimeoutErr = -23035
    # Open Transport.
    kOTBadAddressErr = -3150
    kOTAccessErr = -3152
    kOTBadReferenceErr = -3153
    kOTNoAddressErr = -3154
    kOTOutStateErr = -3155
    kOTLookErr = -3158
    kOTBufferOverflowErr = -3160
    kOTNoDataErr = -3162
    kOTNoDisconnectErr = -3163
    kOTNoUDErrErr = -3164
    kOTNoReleaseErr = -3166
    kOTNotSupportedErr = -3167
    kOTBadNameErr = -3170
    kOTAddressBusyErr = -3172
    kOTNotFoundErr = -3201
    kOTOutOfMemoryErr = -3211
    kENOTTYErr = -3224
    kETIMEDOUTErr = -3259
    kECONNREFUSEDErr = -3260
    kOTBadConfigurationErr = -3282
    # Apple events.
    errAECoercionFail = -1700
    errAEDescNotFound = -1701
    errAEWrongDataType = -1703
    errAENotAEDesc = -1704
    errAEEventNotHandled = -1708
    errAEHandlerNotFound = -1717
    errAEIllegalIndex = -1719
    errAEImpossibleRange = -1720
    errAEAccessorNotFound = -1723
    errAENoSuchLogical = -1725
    errAEBadTestKey = -1726
    errAENotAnObjSpec = -1727
    errAENoSuchObject = -1728
    errAENegativeCount = -1729
    errAEEmptyListContainer = -1730
    # Displays.
    kDMGenErr = -6220
    kDMDriverNotDisplayMgrAwareErr = -6228
    kDMDisplayNotFoundErr = -6229
    # Code fragments and components.
    cfragConnectionIDErr = -2801
    cfragNoSymbolErr = -2802
    cfragNoLibraryErr = -2804
    cfragFragmentFormatErr = -2806
    cfragUnresolvedErr = -2807
    cfragNoClientMemErr = -2810
    cfragInitFunctionErr = -2821
    invalidComponentID = -3000
    # What a machine is.
    envBadVers = -5501
    envVersTooBig = -5502
    gestaltUndefSelectorErr = -5551
    gestaltDupSelectorErr = -5552


class Modifier(IntEnum):
    """The bits of an event's modifiers."""

    activeFlag = 0x0001
    btnState = 0x0080
    """Set while the mouse button is *not* down."""
    cmdKey = 0x0100
    shiftKey = 0x0200
    alphaLock = 0x0400
    optionKey = 0x0800
    controlKey = 0x1000
