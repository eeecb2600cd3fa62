#include "poster_jxl_encoder.h"

#include <stdlib.h>

#include <jxl/encode.h>

enum { max_side = 16384, first_capacity = 1 << 14 };

static int is_valid(const poster_jxl_picture *picture) {
    if (picture->width < 1 || picture->width > max_side || picture->height < 1 || picture->height > max_side) return 0;
    if (picture->channels != 1 && picture->channels != 3 && picture->channels != 4) return 0;
    if (picture->rows_per_frame < 1 || picture->rows_per_frame > picture->height) return 0;
    return picture->distance >= 0.01f && picture->distance <= 15 && picture->effort >= 1 && picture->effort <= 9;
}

static enum poster_status failure_of(const JxlEncoder *encoder) {
    switch (JxlEncoderGetError((JxlEncoder *)encoder)) {
        case JXL_ENC_ERR_OOM: return POSTER_OUT_OF_MEMORY;
        case JXL_ENC_ERR_NOT_SUPPORTED:
        case JXL_ENC_ERR_API_USAGE: return POSTER_MISUSE;
        default: return POSTER_CORRUPT;
    }
}

// Colours as sRGB by enumeration, without an ICC profile; libjxl stores them as XYB.
static int describe(JxlEncoder *encoder, const poster_jxl_picture *picture) {
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = picture->width;
    info.ysize = picture->height;
    info.bits_per_sample = 8;
    info.num_color_channels = picture->channels == 1 ? 1 : 3;
    if (picture->channels == 4) {
        info.num_extra_channels = 1;
        info.alpha_bits = 8;
    }
    info.uses_original_profile = JXL_FALSE;
    JxlColorEncoding colours;
    JxlColorEncodingSetToSRGB(&colours, picture->channels == 1);
    return JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS &&
           JxlEncoderSetColorEncoding(encoder, &colours) == JXL_ENC_SUCCESS;
}

static int configure(JxlEncoderFrameSettings *settings, const poster_jxl_picture *picture) {
    // Patches and dots would be frames of their own, which layers must not refer to, and take a second pass.
    // So would block means from a distance of 4.5 on: libjxl 0.7 then writes damaged layers, other ones each time.
    return JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, picture->effort) ==
               JXL_ENC_SUCCESS &&
           JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_PATCHES, 0) == JXL_ENC_SUCCESS &&
           JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_DOTS, 0) == JXL_ENC_SUCCESS &&
           JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_PROGRESSIVE_DC, 0) == JXL_ENC_SUCCESS &&
           JxlEncoderSetFrameDistance(settings, picture->distance) == JXL_ENC_SUCCESS;
}

// Places the frame's rows on those of the frames before it, which slot 0 keeps (ISO/IEC 18181-1, F.2).
static int place(JxlEncoderFrameSettings *settings, const poster_jxl_picture *picture, uint32_t top, uint32_t rows) {
    if (rows == picture->height) return 1;
    JxlFrameHeader header;
    JxlEncoderInitFrameHeader(&header);
    JxlLayerInfo *layer = &header.layer_info;
    layer->have_crop = JXL_TRUE;
    layer->crop_x0 = 0;
    layer->crop_y0 = (int32_t)top;
    layer->xsize = picture->width;
    layer->ysize = rows;
    layer->blend_info.blendmode = JXL_BLEND_REPLACE;
    layer->blend_info.source = 0;
    layer->save_as_reference = 0;
    return JxlEncoderSetFrameHeader(settings, &header) == JXL_ENC_SUCCESS;
}

// Moves all output of the frames so far to the file.
static enum poster_status collect(JxlEncoder *encoder, poster_bytes *file) {
    for (;;) {
        if (file->count == file->capacity) {
            const size_t capacity = file->capacity ? 2 * file->capacity : first_capacity;
            if (!poster_bytes_reserve(file, capacity)) return POSTER_OUT_OF_MEMORY;
        }
        uint8_t *next = file->start + file->count;
        size_t left = file->capacity - file->count;
        const JxlEncoderStatus status = JxlEncoderProcessOutput(encoder, &next, &left);
        file->count = file->capacity - left;
        if (status == JXL_ENC_SUCCESS) return POSTER_OK;
        if (status != JXL_ENC_NEED_MORE_OUTPUT) return failure_of(encoder);
    }
}

static enum poster_status encode(JxlEncoder *encoder, const poster_jxl_picture *picture, const poster_watch *watch,
                                 poster_bytes *file) {
    JxlEncoderFrameSettings *settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (!settings) return POSTER_OUT_OF_MEMORY;
    if (!describe(encoder, picture) || !configure(settings, picture)) return failure_of(encoder);
    const JxlPixelFormat format = {picture->channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    const size_t stride = (size_t)picture->width * picture->channels;
    for (uint32_t top = 0; top < picture->height; top += picture->rows_per_frame) {
        if (poster_watch_ends(watch)) return POSTER_STOPPED;
        const uint32_t rest = picture->height - top;
        const uint32_t rows = rest < picture->rows_per_frame ? rest : picture->rows_per_frame;
        if (!place(settings, picture, top, rows)) return failure_of(encoder);
        // libjxl converts the rows to floats of its own.
        const JxlEncoderStatus status =
            JxlEncoderAddImageFrame(settings, &format, picture->pixels + top * stride, rows * stride);
        if (status != JXL_ENC_SUCCESS) return failure_of(encoder);
        if (rows == rest) JxlEncoderCloseInput(encoder);
        const enum poster_status collected = collect(encoder, file);
        if (collected != POSTER_OK) return collected;
    }
    return POSTER_OK;
}

enum poster_status poster_jxl_encode(const poster_jxl_picture *picture, const poster_watch *watch,
                                          poster_bytes *bytes) {
    if (!is_valid(picture)) return POSTER_MISUSE;
    JxlEncoder *encoder = JxlEncoderCreate(NULL);
    if (!encoder) return POSTER_OUT_OF_MEMORY;
    poster_bytes file = {0};
    const enum poster_status status = encode(encoder, picture, watch, &file);
    JxlEncoderDestroy(encoder);
    if (status != POSTER_OK) {
        free(file.start);
        return status;
    }
    poster_bytes_trim(&file);
    *bytes = file;
    return POSTER_OK;
}

uint32_t poster_jxl_encoder_version(void) { return JxlEncoderVersion(); }

int32_t poster_jxl_encoder_is_fused(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 1;
#endif
}
