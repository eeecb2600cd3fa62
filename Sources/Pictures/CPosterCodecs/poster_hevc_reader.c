#include "poster_hevc_reader.h"

#include <stdlib.h>
#include <string.h>

#include <libde265/de265.h>

enum {
    /// The side of the smallest coding tree blocks.
    BLOCK_SIDE = 16,
    /// libde265's alignment of rows, in samples, and the bytes that its SIMD code may read after a plane.
    ROW_ALIGNMENT = 16,
    PLANE_PADDING = 64,
    PATTERN_PERIOD = 64,
};

/// Maximum bytes that libde265 moves to remove emulation prevention from a unit, in less than half a second. Lossless
/// pictures have such a byte in each 200.
static const uint64_t most_moved = UINT64_C(1) << 31;

struct poster_hevc_reader {
    de265_decoder_context *context;
    poster_hevc_shape shape;
    /// All planes, one after the other.
    uint8_t *memory;
    uint8_t *planes[3];
    /// In bytes.
    size_t strides[3];
    uint8_t pattern[4 * PATTERN_PERIOD];
};

static size_t sample_size(const poster_hevc_reader *reader) { return reader->shape.depth > 8 ? 2 : 1; }

/// The bytes of a row before decoding; they repeat.
static const uint8_t *pattern_of(const poster_hevc_reader *reader, size_t y) {
    return reader->pattern + y * 37 % (3 * PATTERN_PERIOD);
}

/// Allocates the planes of the only picture, and fills luma with a pattern that shows which blocks are decoded.
static int get_buffer(de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image,
                      void *user) {
    (void)context;
    poster_hevc_reader *reader = user;
    const poster_hevc_shape *shape = &reader->shape;
    if (reader->memory || spec->width < 0 || spec->height < 0) return 0;
    if ((uint32_t)spec->width != shape->coded_width || (uint32_t)spec->height != shape->coded_height) return 0;
    const enum de265_chroma chroma = !shape->has_chroma       ? de265_chroma_mono
                                     : !shape->halves_across  ? de265_chroma_444
                                     : shape->halves_down     ? de265_chroma_420
                                                              : de265_chroma_422;
    const size_t plane_count = shape->has_chroma ? 3 : 1;
    if (de265_get_chroma_format(image) != chroma) return 0;
    size_t offsets[3] = {0}, total = 0;
    for (size_t index = 0; index < plane_count; index++) {
        if (de265_get_bits_per_pixel(image, (int)index) != (int)shape->depth) return 0;
        const size_t width = index > 0 && shape->halves_across ? shape->coded_width / 2 : shape->coded_width;
        const size_t height = index > 0 && shape->halves_down ? shape->coded_height / 2 : shape->coded_height;
        reader->strides[index] = (width + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT * sample_size(reader);
        offsets[index] = total;
        total += (reader->strides[index] * height + 2 * PLANE_PADDING - 1) / PLANE_PADDING * PLANE_PADDING;
    }
    void *memory = NULL;
    if (posix_memalign(&memory, PLANE_PADDING, total)) return 0;
    reader->memory = memory;
    const size_t row = reader->strides[0];
    for (size_t y = 0; y < shape->coded_height; y++) {
        for (size_t x = 0; x < row; x += PATTERN_PERIOD) {
            const size_t rest = row - x;
            memcpy(reader->memory + y * row + x, pattern_of(reader, y), rest < PATTERN_PERIOD ? rest : PATTERN_PERIOD);
        }
    }
    // Memory of earlier pictures must not become visible.
    if (plane_count > 1) memset(reader->memory + offsets[1], 0, total - offsets[1]);
    for (size_t index = 0; index < plane_count; index++) {
        reader->planes[index] = reader->memory + offsets[index];
        de265_set_image_plane(image, (int)index, reader->planes[index], (int)reader->strides[index], NULL);
    }
    return 1;
}

/// The reader owns the planes, also after the decoder is freed.
static void release_buffer(de265_decoder_context *context, struct de265_image *image, void *user) {
    (void)context, (void)image, (void)user;
}

enum poster_status poster_hevc_reader_create(const poster_hevc_shape *shape, poster_hevc_reader **result) {
    *result = NULL;
    if (shape->coded_width < 8 || shape->coded_height < 8 || shape->coded_width > 65535 || shape->coded_height > 65535)
        return POSTER_MISUSE;
    poster_hevc_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return POSTER_OUT_OF_MEMORY;
    reader->shape = *shape;
    uint32_t random = 1;
    for (size_t index = 0; index < sizeof reader->pattern; index++) {
        random = random * 1664525 + 1013904223;
        reader->pattern[index] = (uint8_t)(random >> 24);
    }
    // Its threads are never started.
    reader->context = de265_new_decoder();
    if (!reader->context) {
        free(reader);
        return POSTER_OUT_OF_MEMORY;
    }
    struct de265_image_allocation functions = {.get_buffer = get_buffer, .release_buffer = release_buffer};
    de265_set_image_allocation_functions(reader->context, &functions, reader);
    // Without this filter libde265 decodes into memory of these functions; the filter runs in finish.
    de265_set_parameter_bool(reader->context, DE265_DECODER_PARAM_DISABLE_SAO, 1);
    *result = reader;
    return POSTER_OK;
}

void poster_hevc_reader_destroy(poster_hevc_reader *reader) {
    if (!reader) return;
    if (reader->context) de265_free_decoder(reader->context);
    free(reader->memory);
    free(reader);
}

static int is_harmless(de265_error warning) {
    // The decoder does not use the offsets of substreams on one thread.
    return warning == DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING ||
           warning == DE265_WARNING_INCORRECT_ENTRY_POINT_OFFSET;
}

static enum poster_status decode(poster_hevc_reader *reader) {
    int more = 1;
    // After the end of the data there is more as long as a picture waits for the caller.
    while (more && !de265_peek_next_picture(reader->context)) {
        more = 0;
        const de265_error error = de265_decode(reader->context, &more);
        if (error == DE265_ERROR_WAITING_FOR_INPUT_DATA) break;
        if (error == DE265_ERROR_OUT_OF_MEMORY && !reader->memory) return POSTER_CORRUPT;
        if (error == DE265_ERROR_OUT_OF_MEMORY) return POSTER_OUT_OF_MEMORY;
        if (error != DE265_OK) return POSTER_CORRUPT;
    }
    for (;;) {
        const de265_error warning = de265_get_warning(reader->context);
        if (warning == DE265_OK) return POSTER_OK;
        if (!is_harmless(warning)) return POSTER_CORRUPT;
    }
}

/// Whether removing emulation prevention takes limited time: libde265 moves the rest of the unit for each byte that it
/// removes.
static int is_quick(const uint8_t *unit, size_t count) {
    uint64_t moved = 0;
    for (size_t index = 2; index < count; index++) {
        if (unit[index] > 3) {
            index += 2;
        } else if (unit[index] == 3 && unit[index - 1] == 0 && unit[index - 2] == 0) {
            moved += count - index;
        }
    }
    return moved <= most_moved;
}

enum poster_status poster_hevc_reader_push(poster_hevc_reader *reader, const uint8_t *unit, size_t count) {
    if (!reader->context || count > INT32_MAX) return POSTER_MISUSE;
    if (!is_quick(unit, count)) return POSTER_CORRUPT;
    const de265_error error = de265_push_NAL(reader->context, unit, (int)count, 0, NULL);
    if (error == DE265_ERROR_OUT_OF_MEMORY) return POSTER_OUT_OF_MEMORY;
    return error == DE265_OK ? decode(reader) : POSTER_CORRUPT;
}

/// Whether slices have changed a row's pattern in each block, before filters. A block that decodes to the pattern's bytes
/// is taken for one that is missing.
static int is_complete(const poster_hevc_reader *reader) {
    const size_t row = reader->strides[0];
    for (size_t y = 0; y < reader->shape.coded_height; y += BLOCK_SIDE) {
        // Blocks may have eight rows and columns at the picture's edges.
        const uint8_t *start = reader->planes[0] + (y + 4) * row;
        for (size_t x = 0; x < reader->shape.coded_width; x += BLOCK_SIDE) {
            const size_t offset = x * sample_size(reader);
            if (memcmp(start + offset, pattern_of(reader, y + 4) + offset % PATTERN_PERIOD, 8) == 0) return 0;
        }
    }
    return 1;
}

enum poster_status poster_hevc_reader_finish(poster_hevc_reader *reader) {
    if (!reader->context) return POSTER_MISUSE;
    enum poster_status status = POSTER_CORRUPT;
    if (reader->memory && is_complete(reader)) {
        de265_set_parameter_bool(reader->context, DE265_DECODER_PARAM_DISABLE_SAO, 0);
        if (de265_flush_data(reader->context) == DE265_OK) status = decode(reader);
        if (status == POSTER_OK && !de265_get_next_picture(reader->context)) status = POSTER_CORRUPT;
    }
    de265_free_decoder(reader->context);
    reader->context = NULL;
    return status;
}

void poster_hevc_reader_planes(const poster_hevc_reader *reader, poster_planes *planes) {
    const poster_hevc_shape *shape = &reader->shape;
    for (size_t index = 0; index < 3; index++) {
        const size_t left = index > 0 && shape->halves_across ? shape->left / 2 : shape->left;
        const size_t top = index > 0 && shape->halves_down ? shape->top / 2 : shape->top;
        planes->strides[index] = reader->strides[index];
        planes->planes[index] =
            reader->planes[index] ? reader->planes[index] + top * planes->strides[index] + left * sample_size(reader)
                                  : NULL;
    }
    // Alpha of HEVC has full range; the range of colours is in their code points.
    planes->is_full_range = 1;
}
