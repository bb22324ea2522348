/* ImageCompression.h: QuickTime's Image Compression Manager. See Types.h for what these headers are. */

#ifndef COMPAT_IMAGECOMPRESSION_H
#define COMPAT_IMAGECOMPRESSION_H

#include <Types.h>
#include <Quickdraw.h>
#include <QDOffscreen.h>
#include <Files.h>
#include <StandardFile.h>
#include <Components.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef Component   CompressorComponent, DecompressorComponent, CodecComponent;
typedef OSType      CodecType;
typedef long        ImageSequence;
typedef unsigned long CodecQ;

typedef struct ImageDescription
{
    long idSize;
    CodecType cType;
    long resvd1;
    short resvd2, dataRefIndex, version, revisionLevel;
    long vendor;
    CodecQ temporalQuality, spatialQuality;
    short width, height;
    Fixed hRes, vRes;
    long dataSize;
    short frameCount;
    Str31 name;
    short depth, clutID;
} ImageDescription, *ImageDescriptionPtr, **ImageDescriptionHandle;

enum { codecMinQuality = 0, codecLowQuality = 0x100, codecNormalQuality = 0x200,
       codecHighQuality = 0x300, codecMaxQuality = 0x3FF, codecLosslessQuality = 0x400 };

#define anyCodec            ((CodecComponent) 0)
#define bestSpeedCodec      ((CodecComponent) -1)
#define bestFidelityCodec   ((CodecComponent) -2)
#define bestCompressionCodec ((CodecComponent) -3)

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/ImageCompression.h"

#endif
