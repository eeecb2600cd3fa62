#include "codec_testing_avif.h"

#include <string.h>

#include <avif/avif.h>

typedef struct {
    uint8_t *start;
    size_t left;
} room;

static int copy(room *to, const uint8_t *from, size_t stride, uint32_t width, uint32_t height) {
    if ((size_t)width * height > to->left) return 0;
    for (uint32_t y = 0; y < height; y++) {
        memcpy(to->start, from + y * stride, width);
        to->start += width;
        to->left -= width;
    }
    return 1;
}

static int describe(const avifImage *image, codec_testing_avif_header *header) {
    header->width = image->width;
    header->height = image->height;
    header->depth = image->depth;
    header->has_alpha = image->alphaPlane != NULL;
    header->is_premultiplied = image->alphaPremultiplied != 0;
    header->is_full_range = image->yuvRange == AVIF_RANGE_FULL;
    header->primaries = image->colorPrimaries;
    header->transfer = image->transferCharacteristics;
    header->matrix = image->matrixCoefficients;
    header->metadata_count = image->icc.size + image->exif.size + image->xmp.size;
    switch (image->yuvFormat) {
        case AVIF_PIXEL_FORMAT_YUV400: header->chroma_side = 0; return image->depth == 8;
        case AVIF_PIXEL_FORMAT_YUV420: header->chroma_side = 2; return image->depth == 8;
        case AVIF_PIXEL_FORMAT_YUV444: header->chroma_side = 1; return image->depth == 8;
        default: return 0;
    }
}

static int copy_planes(const avifImage *image, uint32_t side, room to) {
    if (!copy(&to, image->yuvPlanes[0], image->yuvRowBytes[0], image->width, image->height)) return 0;
    for (int i = 1; i < 3 && side > 0; i++) {
        const uint32_t width = (image->width + side - 1) / side, height = (image->height + side - 1) / side;
        if (!copy(&to, image->yuvPlanes[i], image->yuvRowBytes[i], width, height)) return 0;
    }
    return !image->alphaPlane || copy(&to, image->alphaPlane, image->alphaRowBytes, image->width, image->height);
}

int32_t codec_testing_avif(const uint8_t *bytes, size_t count, codec_testing_avif_header *header, uint8_t *planes,
                           size_t capacity) {
    avifDecoder *decoder = avifDecoderCreate();
    avifImage *image = avifImageCreateEmpty();
    int done = 0;
    if (decoder && image) {
        decoder->maxThreads = 1;
        done = avifDecoderReadMemory(decoder, image, bytes, count) == AVIF_RESULT_OK && describe(image, header)
               && copy_planes(image, header->chroma_side, (room){planes, capacity});
    }
    if (image) avifImageDestroy(image);
    if (decoder) avifDecoderDestroy(decoder);
    return done;
}
