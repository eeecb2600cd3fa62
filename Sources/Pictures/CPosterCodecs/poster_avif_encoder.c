#include "poster_avif_encoder.h"

#include <stdio.h>
#include <string.h>

#include <avif/avif.h>

enum { max_side = 16384 };

static int is_valid(const poster_avif_picture *picture) {
    if (picture->width < 1 || picture->width > max_side || picture->height < 1 || picture->height > max_side) return 0;
    if (!picture->blue != !picture->red) return 0;
    if (picture->quantizer > AVIF_QUANTIZER_WORST_QUALITY || picture->speed > AVIF_SPEED_FASTEST) return 0;
    return picture->alpha_quantizer <= AVIF_QUANTIZER_WORST_QUALITY;
}

// The planes are borrowed: libavif frees only its own allocations.
static avifImage *image_of(const poster_avif_picture *picture) {
    const avifPixelFormat format = picture->blue ? AVIF_PIXEL_FORMAT_YUV420 : AVIF_PIXEL_FORMAT_YUV400;
    avifImage *image = avifImageCreate(picture->width, picture->height, 8, format);
    if (!image) return NULL;
    image->yuvRange = AVIF_RANGE_FULL;
    image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
    image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    image->matrixCoefficients = AVIF_MATRIX_COEFFICIENTS_BT601;
    image->yuvPlanes[AVIF_CHAN_Y] = (uint8_t *)picture->luma;
    image->yuvRowBytes[AVIF_CHAN_Y] = (uint32_t)picture->luma_stride;
    if (picture->blue) {
        image->yuvPlanes[AVIF_CHAN_U] = (uint8_t *)picture->blue;
        image->yuvPlanes[AVIF_CHAN_V] = (uint8_t *)picture->red;
        image->yuvRowBytes[AVIF_CHAN_U] = image->yuvRowBytes[AVIF_CHAN_V] = (uint32_t)picture->chroma_stride;
    }
    if (picture->alpha) {
        image->alphaPlane = (uint8_t *)picture->alpha;
        image->alphaRowBytes = (uint32_t)picture->alpha_stride;
    }
    return image;
}

static void set_number(avifEncoder *encoder, const char *key, uint32_t value) {
    char text[12];
    snprintf(text, sizeof text, "%u", value);
    avifEncoderSetCodecSpecificOption(encoder, key, text);
}

// A fixed quantiser, so that neither time nor quality depends on rate control.
static void configure(avifEncoder *encoder, const poster_avif_picture *picture) {
    encoder->codecChoice = AVIF_CODEC_CHOICE_AOM;
    encoder->maxThreads = 1;
    encoder->speed = (int)picture->speed;
    encoder->minQuantizer = AVIF_QUANTIZER_BEST_QUALITY;
    encoder->maxQuantizer = AVIF_QUANTIZER_WORST_QUALITY;
    // Two equal quantisers of 0 would mean lossless.
    encoder->minQuantizerAlpha = AVIF_QUANTIZER_BEST_QUALITY;
    encoder->maxQuantizerAlpha = picture->alpha_quantizer > 0 ? AVIF_QUANTIZER_WORST_QUALITY : AVIF_QUANTIZER_BEST_QUALITY;
    avifEncoderSetCodecSpecificOption(encoder, "end-usage", "q");
    set_number(encoder, "color:cq-level", picture->quantizer);
    set_number(encoder, "alpha:cq-level", picture->alpha_quantizer);
    avifEncoderSetCodecSpecificOption(encoder, "color:tune", "ssim");
    // Quantisers that follow the contrast of each superblock: 2 % fewer bytes at the same SSIM, at no cost.
    avifEncoderSetCodecSpecificOption(encoder, "color:deltaq-mode", "3");
}

static enum poster_status status_of(avifResult result) {
    switch (result) {
        case AVIF_RESULT_OK: return POSTER_OK;
        case AVIF_RESULT_OUT_OF_MEMORY: return POSTER_OUT_OF_MEMORY;
        case AVIF_RESULT_ENCODE_COLOR_FAILED:
        case AVIF_RESULT_ENCODE_ALPHA_FAILED:
        case AVIF_RESULT_UNKNOWN_ERROR: return POSTER_CORRUPT;
        default: return POSTER_MISUSE;
    }
}

enum poster_status poster_avif_encode(const poster_avif_picture *picture, poster_bytes *bytes) {
    if (!is_valid(picture)) return POSTER_MISUSE;
    avifImage *image = image_of(picture);
    avifEncoder *encoder = avifEncoderCreate();
    avifRWData file = AVIF_DATA_EMPTY;
    enum poster_status status = POSTER_OUT_OF_MEMORY;
    if (image && encoder) {
        configure(encoder, picture);
        status = status_of(avifEncoderWrite(encoder, image, &file));
    }
    if (status == POSTER_OK) {
        // Copied to memory of malloc, which libavif does not guarantee for its own.
        poster_bytes copy = {0};
        if (poster_bytes_reserve(&copy, file.size) && poster_bytes_append(&copy, file.data, file.size)) {
            *bytes = copy;
        } else {
            status = POSTER_OUT_OF_MEMORY;
        }
    }
    avifRWDataFree(&file);
    if (encoder) avifEncoderDestroy(encoder);
    if (image) avifImageDestroy(image);
    return status;
}

const char *poster_avif_version(void) { return avifVersion(); }

// libavif lists its codecs as "dav1d [dec]:1.0.0, aom [enc/dec]:3.6.0".
void poster_avif_aom_version(char *text, size_t capacity) {
    char all[256] = {0};
    avifCodecVersions(all);
    const char *aom = strstr(all, "aom [");
    const char *start = aom ? strchr(aom, ':') : NULL;
    const int length = start ? (int)strcspn(start + 1, ", ") : 0;
    if (start && length > 0) {
        // Debian's version is "v3.6.0".
        if (start[1] == 'v' && length > 1) start++;
        snprintf(text, capacity, "%.*s", (int)strcspn(start + 1, ", "), start + 1);
    } else {
        snprintf(text, capacity, "none");
    }
}
