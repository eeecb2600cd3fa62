#include "poster_webp.h"

#include <stdlib.h>

#include <webp/encode.h>

static int on_progress(int percent, const WebPPicture *picture) {
    (void)percent;
    return !poster_watch_ends(picture->user_data);
}

// The first piece begins with the file's header: "RIFF" and the number of bytes after these eight (RFC 9649, 2.4).
static int on_write(const uint8_t *data, size_t count, const WebPPicture *picture) {
    poster_bytes *bytes = picture->custom_ptr;
    if (bytes->count == 0 && count >= 8) {
        const size_t rest = data[4] | (size_t)data[5] << 8 | (size_t)data[6] << 16 | (size_t)data[7] << 24;
        if (!poster_bytes_reserve(bytes, 8 + rest)) return 0;
    }
    return poster_bytes_append(bytes, data, count);
}

enum poster_status poster_webp_encode(const poster_webp_picture *source, const poster_watch *watch,
                                           poster_bytes *bytes) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return POSTER_MISUSE;
    config.quality = source->quality;
    config.method = (int)source->method;
    config.filter_strength = (int)source->filter_strength;
    if (!WebPValidateConfig(&config)) return POSTER_MISUSE;

    // The planes are borrowed: libwebp frees only memory of WebPPictureAlloc.
    picture.width = (int)source->width;
    picture.height = (int)source->height;
    picture.colorspace = source->alpha ? WEBP_YUV420A : WEBP_YUV420;
    picture.y = source->luma;
    picture.u = source->blue;
    picture.v = source->red;
    picture.a = source->alpha;
    picture.y_stride = (int)source->luma_stride;
    picture.uv_stride = (int)source->chroma_stride;
    picture.a_stride = (int)source->alpha_stride;
    picture.progress_hook = on_progress;
    picture.user_data = (void *)watch;

    poster_bytes file = {0};
    picture.writer = on_write;
    picture.custom_ptr = &file;

    const int done = WebPEncode(&config, &picture);
    const WebPEncodingError error = picture.error_code;
    WebPPictureFree(&picture);
    if (done) {
        poster_bytes_trim(&file);
        *bytes = file;
        return POSTER_OK;
    }
    free(file.start);
    switch (error) {
        case VP8_ENC_ERROR_USER_ABORT: return POSTER_STOPPED;
        case VP8_ENC_ERROR_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BAD_WRITE: return POSTER_OUT_OF_MEMORY;
        case VP8_ENC_ERROR_NULL_PARAMETER:
        case VP8_ENC_ERROR_INVALID_CONFIGURATION:
        case VP8_ENC_ERROR_BAD_DIMENSION: return POSTER_MISUSE;
        default: return POSTER_CORRUPT;
    }
}

int32_t poster_webp_encoder_version(void) { return WebPGetEncoderVersion(); }
