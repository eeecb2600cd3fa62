#include "poster_jpeg.h"

#include <stdlib.h>

#include "poster_jpeg_arena.h"
#include "poster_jpeg_errors.h"
#include "poster_jpeg_source.h"

enum { max_planes = 4, max_rows_per_group = MAX_SAMP_FACTOR * DCTSIZE };

// All state lives on the heap and every function that arms the jump has only parameters and what it sets after the
// jump is armed and never reads in the setjmp branch, so nothing depends on a local after longjmp: no `volatile`.
struct poster_jpeg_reader {
    struct poster_jpeg_arena *arena_place;  // first, so that client_data points at it
    struct poster_jpeg_arena arena;
    struct jpeg_decompress_struct codec;
    struct poster_jpeg_errors errors;
    struct poster_jpeg_source source;
    struct jpeg_progress_mgr progress;
    poster_watch watch;
    uint32_t max_scans;
    JSAMPROW rows[max_planes][max_rows_per_group];
    JSAMPARRAY planes[max_planes];
};

// libjpeg calls this between rows of blocks, also while it swallows all scans of a progressive file.
static void on_progress(j_common_ptr common) {
    poster_jpeg_reader *reader = common->client_data;
    if (poster_watch_ends(&reader->watch)) {
        poster_jpeg_errors_leave(&reader->errors, POSTER_JPEG_STOPPED, "ended by the watch");
    }
    if ((uint32_t)reader->codec.input_scan_number > reader->max_scans) {
        poster_jpeg_errors_leave(&reader->errors, POSTER_JPEG_TOO_MANY_SCANS, "too many scans");
    }
}

static int begin(poster_jpeg_reader *reader) {
    if (setjmp(reader->errors.escape)) return 0;
    jpeg_create_decompress(&reader->codec);  // keeps err and client_data
    reader->arena_place = &reader->arena;
    poster_jpeg_arena_install((j_common_ptr)&reader->codec, &reader->arena);
    return 1;
}

poster_jpeg_reader *poster_jpeg_reader_create(void) {
    poster_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->codec.err = poster_jpeg_errors_install(&reader->errors);
    reader->codec.client_data = reader;
    if (begin(reader)) return reader;
    free(reader);
    return NULL;
}

void poster_jpeg_reader_destroy(poster_jpeg_reader *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->codec);  // never fails, legal in any state
    poster_jpeg_arena_release(&reader->arena);
    free(reader);
}

enum poster_jpeg_status poster_jpeg_reader_open(poster_jpeg_reader *reader, const uint8_t *bytes,
                                                const poster_byte_range *ranges, size_t count,
                                                const poster_watch *watch, uint32_t max_scans,
                                                poster_jpeg_frame *frame) {
    if (reader->errors.status != POSTER_JPEG_OK) return POSTER_JPEG_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->watch = *watch;
    reader->max_scans = max_scans;
    reader->progress.progress_monitor = on_progress;
    reader->codec.progress = &reader->progress;
    poster_jpeg_source_install(&reader->codec, &reader->source, bytes, ranges, count);
    jpeg_read_header(&reader->codec, TRUE);
    frame->width = reader->codec.image_width;
    frame->height = reader->codec.image_height;
    frame->component_count = (uint32_t)reader->codec.num_components;
    switch (reader->codec.jpeg_color_space) {
        case JCS_GRAYSCALE: frame->colours = POSTER_JPEG_GRAY; break;
        case JCS_YCbCr: frame->colours = POSTER_JPEG_YCBCR; break;
        case JCS_RGB: frame->colours = POSTER_JPEG_RGB; break;
        case JCS_CMYK: frame->colours = POSTER_JPEG_CMYK; break;
        case JCS_YCCK: frame->colours = POSTER_JPEG_YCCK; break;
        default: frame->colours = POSTER_JPEG_UNKNOWN; break;
    }
    return reader->errors.status;
}

static void describe(poster_jpeg_reader *reader, poster_jpeg_layout *layout) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    layout->component_count = (uint32_t)codec->num_components;
    layout->max_horizontal = (uint32_t)codec->max_h_samp_factor;
    layout->max_vertical = (uint32_t)codec->max_v_samp_factor;
    layout->group_count = codec->total_iMCU_rows;
    for (int i = 0; i < codec->num_components; i++) {
        const jpeg_component_info *component = &codec->comp_info[i];
        poster_jpeg_plane *plane = &layout->planes[i];
        plane->width = component->downsampled_width;
        plane->height = component->downsampled_height;
        plane->row_bytes = component->width_in_blocks * (uint32_t)component->DCT_scaled_size;
        plane->rows_per_group = (uint32_t)(component->v_samp_factor * component->DCT_scaled_size);
        plane->horizontal = (uint32_t)component->h_samp_factor;
        plane->vertical = (uint32_t)component->v_samp_factor;
        plane->block_side = (uint32_t)component->DCT_scaled_size;
    }
}

enum poster_jpeg_status poster_jpeg_reader_start(poster_jpeg_reader *reader, uint32_t eighths, int32_t smooths,
                                                 poster_jpeg_layout *layout) {
    if (reader->errors.status != POSTER_JPEG_OK) return POSTER_JPEG_MISUSE;
    if (eighths != 1 && eighths != 2 && eighths != 4 && eighths != 8) return POSTER_JPEG_MISUSE;
    if (reader->codec.num_components > max_planes) return POSTER_JPEG_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->codec.scale_num = eighths;
    reader->codec.scale_denom = 8;
    reader->codec.raw_data_out = TRUE;
    reader->codec.out_color_space = reader->codec.jpeg_color_space;
    reader->codec.do_block_smoothing = smooths != 0;
    reader->codec.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&reader->codec);
    describe(reader, layout);
    return reader->errors.status;
}

enum poster_jpeg_status poster_jpeg_reader_read_group(poster_jpeg_reader *reader, uint8_t *const *planes,
                                                      const size_t *strides) {
    if (reader->errors.status != POSTER_JPEG_OK) return POSTER_JPEG_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    for (int i = 0; i < reader->codec.num_components; i++) {
        const jpeg_component_info *component = &reader->codec.comp_info[i];
        const int count = component->v_samp_factor * component->DCT_scaled_size;
        for (int y = 0; y < count; y++) reader->rows[i][y] = planes[i] + (size_t)y * strides[i];
        reader->planes[i] = reader->rows[i];
    }
    jpeg_read_raw_data(&reader->codec, reader->planes,
                       (JDIMENSION)(reader->codec.max_v_samp_factor * reader->codec.min_DCT_scaled_size));
    return reader->errors.status;
}

enum poster_jpeg_status poster_jpeg_reader_finish(poster_jpeg_reader *reader) {
    if (reader->errors.status != POSTER_JPEG_OK) return POSTER_JPEG_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    jpeg_finish_decompress(&reader->codec);
    return reader->errors.status;
}

const char *poster_jpeg_reader_message(const poster_jpeg_reader *reader) { return reader->errors.message; }
