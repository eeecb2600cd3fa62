#define _GNU_SOURCE  // madvise
#include "poster_webp.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <webp/decode.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define POSTER_HAS_ASAN 1
#endif
#endif

struct poster_webp_reader {
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    poster_webp_request request;
    // libwebp's output. Mappings, so that rows can be freed while others are still to come.
    uint8_t *planes[3];
    size_t sizes[3];
    // The end of the freed pages in each plane.
    size_t given_back[3];
    // The last fed bytes.
    const uint8_t *bytes;
    size_t count;
    // Complete rows. libwebp still writes only to the rows after them.
    uint32_t row_count;
    int has_checked_size;
    int is_done;
    int has_failed;
};

// The maximum side of a VP8L bitstream; VP8's is less by one.
enum { max_side = 16384 };

// With sides in these bounds no size below overflows: 4 * 16384 fits an int, and its square a size_t of 64 bits.
_Static_assert(SIZE_MAX / max_side / max_side >= 4, "sizes of pictures fit size_t");

static int is_valid(const poster_webp_request *request) {
    if (request->width == 0 || request->width > max_side || request->height == 0 || request->height > max_side) return 0;
    if (request->scaled_width == 0 || request->scaled_width > request->width) return 0;
    if (request->scaled_height == 0 || request->scaled_height > request->height) return 0;
    switch (request->samples) {
        case POSTER_WEBP_YUV:
        case POSTER_WEBP_RGB:
        case POSTER_WEBP_RGBA: return 1;
    }
    return 0;
}

// Maps memory for a plane of the whole result; pages cost nothing before they are written. Returns 0 without memory.
static int map_plane(poster_webp_reader *reader, int index, size_t size) {
#ifdef POSTER_HAS_ASAN
    // A block, so that AddressSanitizer detects writes after its end.
    void *memory = malloc(size);
    if (!memory) return 0;
#else
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
#endif
    reader->planes[index] = memory;
    reader->sizes[index] = size;
    return 1;
}

static void unmap_planes(poster_webp_reader *reader) {
    for (int index = 0; index < 3; index++) {
        if (!reader->planes[index]) continue;
#ifdef POSTER_HAS_ASAN
        ASAN_UNPOISON_MEMORY_REGION(reader->planes[index], reader->sizes[index]);
        free(reader->planes[index]);
#else
        munmap(reader->planes[index], reader->sizes[index]);
#endif
    }
}

static int prepare_output(poster_webp_reader *reader) {
    WebPDecBuffer *output = &reader->config.output;
    const size_t width = reader->request.scaled_width, height = reader->request.scaled_height;
    const size_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    const size_t luma = width * height, chroma = half_width * half_height;
    output->is_external_memory = 1;
    if (reader->request.samples == POSTER_WEBP_YUV) {
        if (!map_plane(reader, 0, luma) || !map_plane(reader, 1, chroma) || !map_plane(reader, 2, chroma)) return 0;
        WebPYUVABuffer *planes = &output->u.YUVA;
        planes->y = reader->planes[0];
        planes->u = reader->planes[1];
        planes->v = reader->planes[2];
        planes->y_stride = (int)width;
        planes->u_stride = planes->v_stride = (int)half_width;
        planes->y_size = luma;
        planes->u_size = planes->v_size = chroma;
    } else {
        const size_t pixel = reader->request.samples == POSTER_WEBP_RGBA ? 4 : 3;
        if (!map_plane(reader, 0, pixel * luma)) return 0;
        output->u.RGBA.rgba = reader->planes[0];
        output->u.RGBA.stride = (int)(pixel * width);
        output->u.RGBA.size = reader->sizes[0];
    }
    return 1;
}

enum poster_status poster_webp_reader_create(const poster_webp_request *request,
                                                         poster_webp_reader **result) {
    *result = NULL;
    if (!is_valid(request)) return POSTER_MISUSE;
    poster_webp_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return POSTER_OUT_OF_MEMORY;
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
    if (!reader->decoder) {
        poster_webp_reader_destroy(reader);
        return POSTER_OUT_OF_MEMORY;
    }
    *result = reader;
    return POSTER_OK;
}

void poster_webp_reader_destroy(poster_webp_reader *reader) {
    if (!reader) return;
    WebPIDelete(reader->decoder);
    WebPFreeDecBuffer(&reader->config.output);
    unmap_planes(reader);
    free(reader);
}

// Frees the whole pages of a plane before `end`, which are neither read nor written any more.
static void give_back(poster_webp_reader *reader, int index, size_t end) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t from = reader->given_back[index], to = end / page * page;
    if (to <= from) return;
#ifdef POSTER_HAS_ASAN
    ASAN_POISON_MEMORY_REGION(reader->planes[index] + from, to - from);
#else
    madvise(reader->planes[index] + from, to - from, MADV_DONTNEED);
#endif
    reader->given_back[index] = to;
}

enum poster_status poster_webp_reader_drop(poster_webp_reader *reader, uint32_t row) {
    if (row > reader->row_count) return POSTER_MISUSE;
    const WebPDecBuffer *output = &reader->config.output;
    if (reader->request.samples == POSTER_WEBP_YUV) {
        const WebPYUVABuffer *planes = &output->u.YUVA;
        // Chroma has half as many rows as luma, rounded up; a row shared with the next luma row stays.
        give_back(reader, 0, (size_t)planes->y_stride * row);
        give_back(reader, 1, (size_t)planes->u_stride * (row / 2));
        give_back(reader, 2, (size_t)planes->v_stride * (row / 2));
    } else {
        give_back(reader, 0, (size_t)output->u.RGBA.stride * row);
    }
    return POSTER_OK;
}

static enum poster_status fail(poster_webp_reader *reader, enum poster_status status) {
    reader->has_failed = 1;
    return status;
}

// libwebp allocates for the size that it reads itself, which must be the size that was checked against limits.
static VP8StatusCode check_size(poster_webp_reader *reader, const uint8_t *bytes, size_t count) {
    WebPBitstreamFeatures features;
    const VP8StatusCode status = WebPGetFeatures(bytes, count, &features);
    if (status != VP8_STATUS_OK) return status;
    const poster_webp_request *request = &reader->request;
    const int is_same = features.width == (int)request->width && features.height == (int)request->height;
    // Lossless data can only be decoded as RGB.
    const int is_decodable = features.format == 1 || request->samples != POSTER_WEBP_YUV;
    if (!is_same || !is_decodable || features.has_animation) return VP8_STATUS_BITSTREAM_ERROR;
    reader->has_checked_size = 1;
    return VP8_STATUS_OK;
}

enum poster_status poster_webp_reader_feed(poster_webp_reader *reader, const uint8_t *bytes, size_t count,
                                                       uint32_t *row_count) {
    if (reader->has_failed || reader->is_done) return POSTER_MISUSE;
    // libwebp keeps pointers into the previous bytes.
    if (count < reader->count || (reader->bytes && bytes != reader->bytes)) return POSTER_MISUSE;
    reader->bytes = bytes;
    reader->count = count;
    VP8StatusCode status = VP8_STATUS_OK;
    if (!reader->has_checked_size) status = check_size(reader, bytes, count);
    if (status == VP8_STATUS_OK) status = WebPIUpdate(reader->decoder, bytes, count);
    switch (status) {
        case VP8_STATUS_OK: reader->is_done = 1; break;
        case VP8_STATUS_SUSPENDED:
        case VP8_STATUS_NOT_ENOUGH_DATA: break;
        case VP8_STATUS_OUT_OF_MEMORY: return fail(reader, POSTER_OUT_OF_MEMORY);
        default: return fail(reader, POSTER_CORRUPT);
    }
    int rows = 0;
    if (!reader->has_checked_size || !WebPIDecodedArea(reader->decoder, NULL, NULL, NULL, &rows)) rows = 0;
    const uint32_t height = reader->request.scaled_height;
    if (reader->is_done || rows > (int)height) {
        reader->row_count = height;
    } else if (rows > 0) {
        reader->row_count = (uint32_t)rows;
    }
    *row_count = reader->row_count;
    return reader->is_done ? POSTER_OK : POSTER_HUNGRY;
}

enum poster_status poster_webp_reader_rows(const poster_webp_reader *reader, poster_webp_rows *rows) {
    if (reader->row_count == 0) return POSTER_MISUSE;
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
    return POSTER_OK;
}
