#define _GNU_SOURCE  // madvise
#include "poster_webp_reader.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <webp/decode.h>

struct poster_webp_reader {
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    poster_webp_request request;
    // What libwebp writes its rows to. A mapping, so that rows can be given back while others are still to come.
    uint8_t *memory;
    size_t size;
    // Where in it the pages end that were given back, for each plane.
    size_t given_back[3];
    int has_checked_size;
    int has_rows;
    int is_done;
    int has_failed;
};

// Memory for the whole result; pages cost nothing before they are written. Zero when there is no memory.
static int prepare_output(poster_webp_reader *reader) {
    WebPDecBuffer *output = &reader->config.output;
    const size_t width = reader->request.scaled_width, height = reader->request.scaled_height;
    const size_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    const size_t pixel = reader->request.samples == POSTER_WEBP_RGBA ? 4 : 3;
    const size_t luma = width * height, chroma = half_width * half_height;
    const int is_yuv = reader->request.samples == POSTER_WEBP_YUV;
    const size_t size = is_yuv ? luma + 2 * chroma : pixel * luma;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    reader->memory = memory;
    reader->size = size;
    output->is_external_memory = 1;
    if (is_yuv) {
        WebPYUVABuffer *planes = &output->u.YUVA;
        planes->y = reader->memory;
        planes->u = planes->y + luma;
        planes->v = planes->u + chroma;
        planes->y_stride = (int)width;
        planes->u_stride = planes->v_stride = (int)half_width;
        planes->y_size = luma;
        planes->u_size = planes->v_size = chroma;
    } else {
        output->u.RGBA.rgba = reader->memory;
        output->u.RGBA.stride = (int)(pixel * width);
        output->u.RGBA.size = size;
    }
    return 1;
}

poster_webp_reader *poster_webp_reader_create(const poster_webp_request *request) {
    poster_webp_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->request = *request;
    if (WebPInitDecoderConfig(&reader->config) && prepare_output(reader)) {
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
    if (reader->memory) munmap(reader->memory, reader->size);
    free(reader);
}

// Gives back the whole pages of a plane up to `end`, which nobody reads or writes any more.
static void give_back(poster_webp_reader *reader, int index, const uint8_t *plane, const uint8_t *end) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t *given = &reader->given_back[index];
    // The page that the plane begins in may hold the end of the plane before.
    const size_t first = ((size_t)(plane - reader->memory) + page - 1) / page * page;
    const size_t from = *given > first ? *given : first;
    const size_t to = (size_t)(end - reader->memory) / page * page;
    if (to <= from) return;
    madvise(reader->memory + from, to - from, MADV_DONTNEED);
    *given = to;
}

void poster_webp_reader_drop(poster_webp_reader *reader, uint32_t row) {
    const WebPDecBuffer *output = &reader->config.output;
    if (reader->request.samples == POSTER_WEBP_YUV) {
        const WebPYUVABuffer *planes = &output->u.YUVA;
        // Chroma's rows are half as many as luma's, rounded up; one that is shared stays.
        give_back(reader, 0, planes->y, planes->y + (size_t)planes->y_stride * row);
        give_back(reader, 1, planes->u, planes->u + (size_t)planes->u_stride * (row / 2));
        give_back(reader, 2, planes->v, planes->v + (size_t)planes->v_stride * (row / 2));
    } else {
        const size_t stride = (size_t)output->u.RGBA.stride;
        give_back(reader, 0, reader->memory, reader->memory + stride * row);
    }
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
