/* Errors.h: the result codes, as Inside Macintosh lists them. See Types.h for what these headers are. */

#ifndef COMPAT_ERRORS_H
#define COMPAT_ERRORS_H

#include "Types.h"

enum                            /* queues, drivers, the clock, parameter RAM */
{
    qErr = -1, vTypErr = -2, corErr = -3, unimpErr = -4, SlpTypeErr = -5, seNoDB = -8,
    controlErr = -17, statusErr = -18, readErr = -19, writErr = -20, badUnitErr = -21,
    unitEmptyErr = -22, openErr = -23, closErr = -24, dRemovErr = -25, dInstErr = -26,
    abortErr = -27, iIOAbortErr = -27, notOpenErr = -28, unitTblFullErr = -29, dceExtErr = -30,
    lastDskErr = -64, noDriveErr = -64, offLinErr = -65, noNybErr = -66, noAdrMkErr = -67,
    dataVerErr = -68, badCksmErr = -69, badBtSlpErr = -70, noDtaMkErr = -71, badDCksum = -72,
    badDBtSlp = -73, wrUnderrun = -74, cantStepErr = -75, tk0BadErr = -76, initIWMErr = -77,
    twoSideErr = -78, spdAdjErr = -79, seekErr = -80, sectNFErr = -81, fmt1Err = -82,
    fmt2Err = -83, verErr = -84, firstDskErr = -84,
    clkRdErr = -85, clkWrErr = -86, prWrErr = -87, prInitErr = -88, rcvrErr = -89,
    breakRecd = -90, slotNumErr = -360
};

enum                            /* files */
{
    dirFulErr = -33, dskFulErr = -34, nsvErr = -35, ioErr = -36, bdNamErr = -37,
    fnOpnErr = -38, eofErr = -39, posErr = -40, mFulErr = -41, tmfoErr = -42, fnfErr = -43,
    wPrErr = -44, fLckdErr = -45, vLckdErr = -46, fBsyErr = -47, dupFNErr = -48,
    opWrErr = -49, paramErr = -50, rfNumErr = -51, gfpErr = -52, volOffLinErr = -53,
    permErr = -54, volOnLinErr = -55, nsDrvErr = -56, noMacDskErr = -57, extFSErr = -58,
    fsRnErr = -59, badMDBErr = -60, wrPermErr = -61,
    dirNFErr = -120, tmwdoErr = -121, badMovErr = -122, wrgVolTypErr = -123,
    volGoneErr = -124, fsDSIntErr = -127,
    fidNotFound = -1300, fidExists = -1301, notAFileErr = -1302, diffVolErr = -1303,
    catChangedErr = -1304, desktopDamagedErr = -1305, sameFileErr = -1306, badFidErr = -1307,
    notARemountErr = -1308,
    afpAccessDenied = -5000, afpAuthContinue = -5001, afpBadUAM = -5002,
    afpBadVersNum = -5003, afpBitmapErr = -5004, afpCantMove = -5005, afpDenyConflict = -5006,
    afpDirNotEmpty = -5007, afpDiskFull = -5008, afpEofError = -5009, afpFileBusy = -5010,
    afpFlatVol = -5011, afpItemNotFound = -5012, afpLockErr = -5013, afpMiscErr = -5014,
    afpNoMoreLocks = -5015, afpNoServer = -5016, afpObjectExists = -5017,
    afpObjectNotFound = -5018, afpParmErr = -5019, afpRangeNotLocked = -5020,
    afpRangeOverlap = -5021, afpSessClosed = -5022, afpUserNotAuth = -5023,
    afpCallNotSupported = -5024, afpObjectTypeErr = -5025, afpTooManyFilesOpen = -5026,
    afpServerGoingDown = -5027, afpCantRename = -5028, afpDirNotFound = -5029,
    afpIconTypeError = -5030, afpVolLocked = -5031, afpObjectLocked = -5032
};

enum                            /* memory, the scrap */
{
    noScrapErr = -100, noTypeErr = -102, memROZWarn = -99, memROZError = -99, memROZErr = -99,
    memFullErr = -108, nilHandleErr = -109, memAdrErr = -110, memWZErr = -111,
    memPurErr = -112, memAZErr = -113, memPCErr = -114, memBCErr = -115, memSCErr = -116,
    memLockedErr = -117, notEnoughMemoryErr = -620, notHeldErr = -621, cannotMakeContiguousErr = -622,
    notLockedErr = -623, interruptsMaskedErr = -624, cannotDeferErr = -625
};

enum                            /* events, menus, desk accessories */
{
    evtNotEnb = 1, userCanceledErr = -128, menuPrpInvalidErr = -5603, menuNotFoundErr = -5620
};

enum                            /* resources */
{
    badExtResource = -185, CantDecompress = -186, resourceInMemory = -188,
    writingPastEnd = -189, inputOutOfBounds = -190, resNotFound = -192, resFNotFound = -193,
    addResFailed = -194, addRefFailed = -195, rmvResFailed = -196, rmvRefFailed = -197,
    resErr = -198, resAttrErr = -198, mapReadErr = -199
};

enum                            /* QuickDraw, colours, palettes, icons, TextEdit */
{
    rgnTooBigErr = -147, updPixMemErr = -125, mBarNFnd = -126, hMenuFindErr = -127,
    insufficientStackErr = -149, cMatchErr = -150, cTempMemErr = -151, cNoMemErr = -152,
    cRangeErr = -153, cProtectErr = -154, cDevErr = -155, cResErr = -156, cDepthErr = -157,
    cParmErr = -158, noMaskFoundErr = -1000, fontNotOutlineErr = -32615,
    kDMGenErr = -6220, kDMDriverNotDisplayMgrAwareErr = -6228, kDMDisplayNotFoundErr = -6229,
    teScrapSizeErr = -501, pictInfoVersionErr = -11000,
    pictInfoIDErr = -11001, pictInfoVerbErr = -11002, cantLoadPickMethodErr = -11003,
    colorsRequestedErr = -11004, pictureDataErr = -11005
};

enum                            /* sound */
{
    noHardwareErr = -200, notEnoughHardwareErr = -201, queueFull = -203, resProblem = -204,
    badChannel = -205, badFormat = -206, notEnoughBufferSpace = -207, badFileFormat = -208,
    channelBusy = -209, buffersTooSmall = -210, channelNotBusy = -211, noMoreRealTime = -212,
    siVBRCompressionNotSupported = -213, siNoSoundInHardware = -220,
    siBadSoundInDevice = -221, siNoBufferSpecified = -222, siInvalidCompression = -223,
    siHardDriveTooSlow = -224, siInvalidSampleRate = -225, siInvalidSampleSize = -226,
    siDeviceBusyErr = -227, siBadDeviceName = -228, siBadRefNum = -229, siInputDeviceErr = -230,
    siUnknownInfoType = -231, siUnknownQuality = -232,
    noSynthFound = -240, synthOpenFailed = -241, synthNotReady = -242, bufTooSmall = -243,
    voiceNotFound = -244, incompatibleVoice = -245, badDictFormat = -246, badInputText = -247,
    midiNoClientErr = -250, midiNoPortErr = -251, midiTooManyPortsErr = -252,
    midiTooManyConsErr = -253, midiVConnectErr = -254, midiVConnectMade = -255,
    midiVConnectRmvd = -256, midiNoConErr = -257, midiWriteErr = -258, midiNameLenErr = -259,
    midiDupIDErr = -260, midiInvalidCmdErr = -261
};

enum                            /* notifications, slots, SCSI */
{
    nmTypErr = -299, nmTypeErr = -299, smEmptySlot = -300, smCRCFail = -301,
    smFormatErr = -302, smRevisionErr = -303, smNoDir = -304, smDisabledSlot = -305,
    smNosInfoArray = -306, smResrvErr = -307, smUnExBusErr = -308, smBLFieldBad = -309,
    smFHBlockRdErr = -310, smFHBlkDispErr = -311, smDisposePErr = -312, smNoBoardSRsrc = -313,
    smGetPRErr = -314, smNoBoardId = -315, smInitStatVErr = -316, smInitTblVErr = -317,
    smNoJmpTbl = -318, smReservedSlot = -318, smBadBoardId = -319, smBusErrTO = -320,
    smBadRefId = -330, smBadsList = -331, smReservedErr = -332, smCodeRevErr = -333,
    smCPUErr = -334, smsPointerNil = -335, smNilsBlockErr = -336, smSlotOOBErr = -337,
    smSelOOBErr = -338, smNewPErr = -339, smBlkMoveErr = -340, smCkStatusErr = -341,
    smGetDrvrNamErr = -342, smDisDrvrNamErr = -343, smNoMoresRsrcs = -344, smsGetDrvrErr = -345,
    smBadsPtrErr = -346, smByteLanesErr = -347, smOffsetErr = -348, smNoGoodOpens = -349,
    smSRTOvrFlErr = -350, smRecNotFnd = -351,
    scCommErr = 2, scArbNBErr = 3, scBadParmsErr = 4, scPhaseErr = 5, scCompareErr = 6,
    scMgrBusyErr = 7, scSequenceErr = 8, scBusTOErr = 9, scComplPhaseErr = 10
};

enum                            /* processes, editions, threads, the Help and the PPC Manager */
{
    procNotFound = -600, memFragErr = -601, appModeErr = -602, protocolErr = -603,
    hardwareConfigErr = -604, appMemFullErr = -605, appIsDaemon = -606, bufferIsSmall = -607,
    noOutstandingHLE = -608, connectionInvalid = -609, noUserInteractionAllowed = -610,
    threadTooManyReqsErr = -617, threadNotFoundErr = -618, threadProtocolErr = -619,
    editionMgrInitErr = -450, badSectionErr = -451, notRegisteredSectionErr = -452,
    badEditionFileErr = -453, badSubPartErr = -454, multiplePublisherWrn = -460,
    containerNotFoundWrn = -461, containerAlreadyOpenWrn = -462, notThePublisherWrn = -463,
    hmHelpDisabled = -850, hmResNotFound = -851, hmMemFullErr = -852, hmBalloonAborted = -853,
    hmSameAsLastBalloon = -854, hmHelpManagerNotInited = -855, hmBadSelector = -856,
    hmSkippedBalloon = -857, hmWrongVersion = -858, hmUnknownHelpType = -859,
    hmCouldNotLoadPackage = -860, hmOperationUnsupported = -861, hmNoBalloonUp = -862,
    hmCloseViewActive = -863,
    notInitErr = -900, nameTypeErr = -902, noPortErr = -903, noGlobalsErr = -904,
    localOnlyErr = -905, destPortErr = -906, sessTableErr = -907, noSessionErr = -908,
    badReqErr = -909, portNameExistsErr = -910, noUserNameErr = -911, userRejectErr = -912,
    noMachineNameErr = -913, noToolboxNameErr = -914, noResponseErr = -915, portClosedErr = -916,
    sessClosedErr = -917, badPortNameErr = -919, noDefaultUserErr = -922,
    notLoggedInErr = -923, noUserRefErr = -924, networkErr = -925, noInformErr = -926,
    authFailErr = -927, noUserRecErr = -928, badServiceMethodErr = -930, badLocNameErr = -931,
    guestNotAllowedErr = -932
};

enum                            /* AppleTalk */
{
    ddpSktErr = -91, ddpLenErr = -92, noBridgeErr = -93, lapProtErr = -94, excessCollsns = -95,
    portNotPwr = -96, portInUse = -97, portNotCf = -98,
    nbpBuffOvr = -1024, nbpNoConfirm = -1025, nbpConfDiff = -1026, nbpDuplicate = -1027,
    nbpNotFound = -1028, nbpNISErr = -1029,
    aspBadVersNum = -1066, aspBufTooSmall = -1067, aspNoMoreSess = -1068, aspNoServers = -1069,
    aspParamErr = -1070, aspServerBusy = -1071, aspSessClosed = -1072, aspSizeErr = -1073,
    aspTooMany = -1074, aspNoAck = -1075,
    reqFailed = -1096, tooManyReqs = -1097, tooManySkts = -1098, badATPSkt = -1099,
    badBuffNum = -1100, noRelErr = -1101, cbNotFound = -1102, noSendResp = -1103,
    noDataArea = -1104, reqAborted = -1105, buf2SmallErr = -3101, noMPPErr = -3102,
    ckSumErr = -3103, extractErr = -3104, readQErr = -3105, atpLenErr = -3106, atpBadRsp = -3107,
    recNotFnd = -3108, sktClosedErr = -3109,
    errOpenDenied = -1273, errDSPQueueSize = -1274, errFwdReset = -1275, errAttention = -1276,
    errOpening = -1277, errState = -1278, errAborted = -1279, errRefNum = -1280
};

enum                            /* Apple events, scripts */
{
    errAECoercionFail = -1700, errAEDescNotFound = -1701, errAECorruptData = -1702,
    errAEWrongDataType = -1703, errAENotAEDesc = -1704, errAEBadListItem = -1705,
    errAENewerVersion = -1706, errAENotAppleEvent = -1707, errAEEventNotHandled = -1708,
    errAEReplyNotValid = -1709, errAEUnknownSendMode = -1710, errAEWaitCanceled = -1711,
    errAETimeout = -1712, errAENoUserInteraction = -1713, errAENotASpecialFunction = -1714,
    errAEParamMissed = -1715, errAEUnknownAddressType = -1716, errAEHandlerNotFound = -1717,
    errAEReplyNotArrived = -1718, errAEIllegalIndex = -1719, errAEImpossibleRange = -1720,
    errAEWrongNumberArgs = -1721, errAEAccessorNotFound = -1723, errAENoSuchLogical = -1725,
    errAEBadTestKey = -1726, errAENotAnObjSpec = -1727, errAENoSuchObject = -1728,
    errAENegativeCount = -1729, errAEEmptyListContainer = -1730, errAEUnknownObjectType = -1731,
    errAERecordingIsAlreadyOn = -1732,
    errOSASystemError = -1750, errOSAInvalidID = -1751, errOSABadStorageType = -1752,
    errOSAScriptError = -1753, errOSABadSelector = -1754, errOSASourceNotAvailable = -1756,
    errOSANoSuchDialect = -1757, errOSADataFormatObsolete = -1758,
    errOSADataFormatTooNew = -1759,
    errAEEventFailed = -10000, errAETypeError = -10001, errAEBadKeyForm = -10002,
    errAENotModifiable = -10003, errAEPrivilegeError = -10004, errAEReadDenied = -10005,
    errAEWriteDenied = -10006, errAEIndexTooLarge = -10007, errAENotAnElement = -10008,
    errAECantSupplyType = -10009, errAECantHandleClass = -10010, errAEInTransaction = -10011,
    errAENoSuchTransaction = -10012, errAENoUserSelection = -10013, errAENotASingleObject = -10014,
    errAECantUndo = -10015, errAELocalOnly = -10016
};

enum                            /* drags */
{
    badDragRefErr = -1850, badDragItemErr = -1851, badDragFlavorErr = -1852,
    duplicateFlavorErr = -1853, cantGetFlavorErr = -1854, duplicateHandlerErr = -1855,
    handlerNotFoundErr = -1856, dragNotAcceptedErr = -1857
};

enum                            /* movies, components, code fragments, MixedMode */
{
    couldNotResolveDataRef = -2000, badImageDescription = -2001, badPublicMovieAtom = -2002,
    cantFindHandler = -2003, cantOpenHandler = -2004, badComponentType = -2005,
    noMediaHandler = -2006, noDataHandler = -2007, invalidMedia = -2008, invalidTrack = -2009,
    invalidMovie = -2010, invalidSampleTable = -2011, invalidDataRef = -2012,
    invalidHandler = -2013, invalidDuration = -2014, invalidTime = -2015,
    cantPutPublicMovieAtom = -2016, badEditList = -2017, movieToolboxUninitialized = -2020,
    wfFileNotFound = -2021, userDataItemNotFound = -2026, noMovieFound = -2048,
    fragContextNotFound = -2800, fragConnectionIDNotFound = -2801, fragSymbolNotFound = -2802,
    fragFragmentNotFound = -2803, fragLibNotFound = -2804, fragDupRegLibName = -2805,
    fragFormatUnknown = -2806, fragHadUnresolveds = -2807, fragNoMem = -2809,
    fragNoClientMem = -2810, fragNoIDs = -2811, fragInitOrder = -2812, fragImportTooOld = -2813,
    fragImportTooNew = -2814, fragInitLoop = -2815, fragInitRtnUsageErr = -2816,
    fragLibConnErr = -2817, fragMgrInitErr = -2818, fragConstErr = -2819, fragCorruptErr = -2820,
    fragUserInitProcErr = -2821, fragAppNotFound = -2822, fragArchError = -2823,
    fragInvalidFragmentUsage = -2824,
    cfragContextIDErr = -2800, cfragConnectionIDErr = -2801, cfragNoSymbolErr = -2802,
    cfragNoSectionErr = -2803, cfragNoLibraryErr = -2804, cfragDupRegistrationErr = -2805,
    cfragFragmentFormatErr = -2806, cfragUnresolvedErr = -2807, cfragNoPositionErr = -2808,
    cfragNoPrivateMemErr = -2809, cfragNoClientMemErr = -2810, cfragNoIDsErr = -2811,
    cfragInitFunctionErr = -2821,
    invalidComponentID = -3000, validInstancesExist = -3001, componentNotCaptured = -3002,
    componentDontRegister = -3003, badComponentInstance = 0x80008001,
    badComponentSelector = 0x80008002, mmInternalError = -2526,
    codecErr = -8960, noCodecErr = -8961, codecUnimpErr = -8962, codecSizeErr = -8963,
    codecScreenBufErr = -8964, codecImageBufErr = -8965, codecSpoolErr = -8966,
    codecAbortErr = -8967, codecWouldOffscreenErr = -8968, codecBadDataErr = -8969,
    codecDataVersErr = -8970, codecConditionErr = -8973
};

enum                            /* Gestalt, what a machine is, translations, scripts */
{
    envNotPresent = -5500, envBadVers = -5501, envVersTooBig = -5502,
    gestaltUnknownErr = -5550, gestaltUndefSelectorErr = -5551, gestaltDupSelectorErr = -5552,
    gestaltLocationErr = -5553, invalidTranslationPathErr = -3025,
    couldNotParseSourceFileErr = -3026, noTranslationPathErr = -3030,
    badTranslationSpecErr = -3031, noPrefAppErr = -3032,
    smNotInstalled = 0, smBadVerb = -1, smBadScript = -2,
    tsmUnsupScriptLanguageErr = -2500, tsmInputMethodNotFoundErr = -2501,
    tsmNotAnAppErr = -2502, tsmAlreadyRegisteredErr = -2503, tsmNeverRegisteredErr = -2504,
    tsmInvalidDocIDErr = -2505, tsmTSMDocBusyErr = -2506, tsmDocNotActiveErr = -2507,
    tsmNoOpenTSErr = -2508, tsmCantOpenComponentErr = -2509, tsmTextServiceNotFoundErr = -2510,
    tsmDocumentOpenErr = -2511, tsmUseInputWindowErr = -2512, tsmTSHasNoMenuErr = -2513,
    tsmTSNotOpenErr = -2514, tsmComponentAlreadyOpenErr = -2515, tsmInputMethodIsOldErr = -2516,
    tsmScriptHasNoIMErr = -2517, tsmUnsupportedTypeErr = -2518, tsmUnknownErr = -2519
};

enum                            /* what SysError shows */
{
    dsBusError = 1, dsAddressErr = 2, dsIllInstErr = 3, dsZeroDivErr = 4, dsChkErr = 5,
    dsOvflowErr = 6, dsPrivErr = 7, dsTraceErr = 8, dsLineAErr = 9, dsLineFErr = 10,
    dsMiscErr = 11, dsCoreErr = 12, dsIrqErr = 13, dsIOCoreErr = 14, dsLoadErr = 15,
    dsFPErr = 16, dsNoPackErr = 17, dsMemFullErr = 25, dsBadLaunch = 26, dsFSErr = 27,
    dsStknHeap = 28, dsReinsert = 30, dsNotThe1 = 31, dsSysErr = 32767, negZcbFreeErr = 33,
    menuPrgErr = 84, dsMBarNFnd = 85, dsHMenuFindErr = 86, dsWDEFNotFound = 87,
    dsCDEFNotFound = 88, dsMDEFNotFound = 89, dsNoFPU = 90, dsNoPatch = 98,
    dsBadPatch = 99, dsOldSystem = 102, dsNeedToWriteBoot = 104, dsNotEnoughRAMToBoot = 105
};

#endif
