#include "poster_webp.h"

#include <webp/encode.h>

static int on_progress(int percent, const WebPPicture *picture) {
    (void)percent;
    return !poster_watch_ends(picture->user_data);
}

enum poster_webp_status poster_webp_encode(const poster_webp_picture *source, const poster_watch *watch,
                                           uint8_t **bytes, size_t *count) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return POSTER_WEBP_MISUSE;
    config.quality = (float)source->quality;
    config.method = (int)source->method;
    if (!WebPValidateConfig(&config)) return POSTER_WEBP_MISUSE;

    // The planes are lent: libwebp frees only what WebPPictureAlloc gave it.
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

    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;

    const int done = WebPEncode(&config, &picture);
    const WebPEncodingError error = picture.error_code;
    WebPPictureFree(&picture);
    if (done) {
        *bytes = writer.mem;
        *count = writer.size;
        return POSTER_WEBP_OK;
    }
    WebPMemoryWriterClear(&writer);
    switch (error) {
        case VP8_ENC_ERROR_USER_ABORT: return POSTER_WEBP_STOPPED;
        case VP8_ENC_ERROR_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
        case VP8_ENC_ERROR_BAD_WRITE: return POSTER_WEBP_OUT_OF_MEMORY;
        case VP8_ENC_ERROR_NULL_PARAMETER:
        case VP8_ENC_ERROR_INVALID_CONFIGURATION:
        case VP8_ENC_ERROR_BAD_DIMENSION: return POSTER_WEBP_MISUSE;
        default: return POSTER_WEBP_FAILED;
    }
}

void poster_webp_free(uint8_t *bytes) { WebPFree(bytes); }

int32_t poster_webp_encoder_version(void) { return WebPGetEncoderVersion(); }
