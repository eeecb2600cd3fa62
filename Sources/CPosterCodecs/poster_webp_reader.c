#include "poster_webp_reader.h"

#include <stdlib.h>
#include <webp/decode.h>

struct poster_webp_reader {
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    poster_webp_request request;
    int has_checked_size;
    int has_rows;
    int is_done;
    int has_failed;
};

poster_webp_reader *poster_webp_reader_create(const poster_webp_request *request) {
    poster_webp_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->request = *request;
    if (WebPInitDecoderConfig(&reader->config)) {
        WebPDecoderConfig *config = &reader->config;
        const int is_scaled = request->scaled_width != request->width || request->scaled_height != request->height;
        config->options.use_scaling = is_scaled;
        config->options.scaled_width = (int)request->scaled_width;
        config->options.scaled_height = (int)request->scaled_height;
        switch (request->samples) {
            case POSTER_WEBP_YUV: config->output.colorspace = MODE_YUV; break;
            case POSTER_WEBP_RGB: config->output.colorspace = MODE_RGB; break;
            case POSTER_WEBP_RGBA: config->output.colorspace = MODE_RGBA; break;
        }
        reader->decoder = WebPIDecode(NULL, 0, config);
    }
    if (reader->decoder) return reader;
    poster_webp_reader_destroy(reader);
    return NULL;
}

void poster_webp_reader_destroy(poster_webp_reader *reader) {
    if (!reader) return;
    WebPIDelete(reader->decoder);
    WebPFreeDecBuffer(&reader->config.output);
    free(reader);
}

static enum poster_webp_reader_status fail(poster_webp_reader *reader, enum poster_webp_reader_status status) {
    reader->has_failed = 1;
    return status;
}

// libwebp allocates for the size that it reads itself: it must be the one that limits were checked for.
static VP8StatusCode check_size(poster_webp_reader *reader, const uint8_t *bytes, size_t count) {
    WebPBitstreamFeatures features;
    const VP8StatusCode status = WebPGetFeatures(bytes, count, &features);
    if (status != VP8_STATUS_OK) return status;
    const poster_webp_request *request = &reader->request;
    const int is_same = features.width == (int)request->width && features.height == (int)request->height;
    // Lossless data can only be had as RGB.
    const int is_decodable = features.format == 1 || request->samples != POSTER_WEBP_YUV;
    if (!is_same || !is_decodable || features.has_animation) return VP8_STATUS_BITSTREAM_ERROR;
    reader->has_checked_size = 1;
    return VP8_STATUS_OK;
}

enum poster_webp_reader_status poster_webp_reader_feed(poster_webp_reader *reader, const uint8_t *bytes, size_t count,
                                                       uint32_t *row_count) {
    if (reader->has_failed || reader->is_done) return POSTER_WEBP_READER_MISUSE;
    VP8StatusCode status = VP8_STATUS_OK;
    if (!reader->has_checked_size) status = check_size(reader, bytes, count);
    if (status == VP8_STATUS_OK) status = WebPIUpdate(reader->decoder, bytes, count);
    switch (status) {
        case VP8_STATUS_OK: reader->is_done = 1; break;
        case VP8_STATUS_SUSPENDED:
        case VP8_STATUS_NOT_ENOUGH_DATA: break;
        case VP8_STATUS_OUT_OF_MEMORY: return fail(reader, POSTER_WEBP_READER_OUT_OF_MEMORY);
        default: return fail(reader, POSTER_WEBP_READER_CORRUPT);
    }
    int rows = 0;
    if (!reader->has_checked_size || !WebPIDecodedArea(reader->decoder, NULL, NULL, NULL, &rows)) rows = 0;
    // Output memory exists from the first row on.
    if (rows > 0) reader->has_rows = 1;
    *row_count = reader->is_done ? reader->request.scaled_height : (uint32_t)rows;
    return reader->is_done ? POSTER_WEBP_READER_DONE : POSTER_WEBP_READER_HUNGRY;
}

enum poster_webp_reader_status poster_webp_reader_rows(const poster_webp_reader *reader, poster_webp_rows *rows) {
    if (!reader->has_rows) return POSTER_WEBP_READER_MISUSE;
    const WebPDecBuffer *output = &reader->config.output;
    *rows = (poster_webp_rows){0};
    if (reader->request.samples == POSTER_WEBP_YUV) {
        const WebPYUVABuffer *planes = &output->u.YUVA;
        rows->planes[0] = planes->y;
        rows->planes[1] = planes->u;
        rows->planes[2] = planes->v;
        rows->strides[0] = (size_t)planes->y_stride;
        rows->strides[1] = (size_t)planes->u_stride;
        rows->strides[2] = (size_t)planes->v_stride;
    } else {
        rows->planes[0] = output->u.RGBA.rgba;
        rows->strides[0] = (size_t)output->u.RGBA.stride;
    }
    return POSTER_WEBP_READER_DONE;
}

int32_t poster_webp_decoder_version(void) { return WebPGetDecoderVersion(); }
