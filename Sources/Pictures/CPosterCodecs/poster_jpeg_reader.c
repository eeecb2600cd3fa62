#include "poster_jpeg.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "poster_jpeg_arena.h"
#include "poster_jpeg_errors.h"

enum { max_planes = 4, max_rows_per_group = MAX_SAMP_FACTOR * DCTSIZE };

// Feeds libjpeg some ranges of one buffer as if they were a file of their own.
struct poster_jpeg_source {
    struct jpeg_source_mgr manager;  // first, so that codec->src is this struct
    const uint8_t *bytes;
    const poster_byte_range *next, *end;
};

// All state lives on the heap and every function that arms the jump has only parameters and what it sets after the
// jump is armed and never reads in the setjmp branch, so nothing depends on a local after longjmp: no `volatile`.
struct poster_jpeg_reader {
    struct poster_jpeg_arena *arena_place;  // first, so that client_data points at it
    struct poster_jpeg_arena arena;
    struct jpeg_decompress_struct codec;
    struct poster_jpeg_errors errors;
    struct poster_jpeg_source source;
    poster_byte_range *ranges;
    struct jpeg_progress_mgr progress;
    poster_watch watch;
    uint32_t max_scans;
    JSAMPROW rows[max_planes][max_rows_per_group];
    JSAMPARRAY planes[max_planes];
};

static void on_init(j_decompress_ptr codec) { (void)codec; }

static void on_term(j_decompress_ptr codec) { (void)codec; }

// Returns 0 when nothing is left.
static int advance(struct poster_jpeg_source *source) {
    while (source->next != source->end) {
        const poster_byte_range range = *source->next++;
        if (range.length == 0) continue;
        source->manager.next_input_byte = source->bytes + range.offset;
        source->manager.bytes_in_buffer = range.length;
        return 1;
    }
    return 0;
}

static boolean on_fill(j_decompress_ptr codec) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    struct poster_jpeg_source *source = (struct poster_jpeg_source *)codec->src;
    if (!advance(source)) {
        WARNMS(codec, JWRN_JPEG_EOF);
        source->manager.next_input_byte = end_of_image;
        source->manager.bytes_in_buffer = sizeof end_of_image;
    }
    return TRUE;
}

static void on_skip(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    size_t left = (size_t)count;
    // The supply never ends: past the last range come end-of-image markers, two bytes each, for at most 64 KiB.
    while (left > codec->src->bytes_in_buffer) {
        left -= codec->src->bytes_in_buffer;
        on_fill(codec);
    }
    codec->src->next_input_byte += left;
    codec->src->bytes_in_buffer -= left;
}

// Makes `codec` read `ranges` of `bytes`, in their order, without copying; empty ones are passed over. After the last range
// it behaves as jpeg_mem_src does after the last byte: it warns and supplies an end-of-image.
static void install_source(struct jpeg_decompress_struct *codec, struct poster_jpeg_source *source,
                           const uint8_t *bytes, const poster_byte_range *ranges, size_t count) {
    source->bytes = bytes;
    source->next = ranges;
    source->end = ranges + count;
    source->manager.init_source = on_init;
    source->manager.fill_input_buffer = on_fill;
    source->manager.skip_input_data = on_skip;
    source->manager.resync_to_restart = jpeg_resync_to_restart;
    source->manager.term_source = on_term;
    source->manager.next_input_byte = NULL;
    source->manager.bytes_in_buffer = 0;
    if (!advance(source)) ERREXIT(codec, JERR_INPUT_EMPTY);
    codec->src = &source->manager;
}

// libjpeg calls this between rows of blocks, also while it swallows all scans of a progressive file.
static void on_progress(j_common_ptr common) {
    poster_jpeg_reader *reader = common->client_data;
    if (poster_watch_ends(&reader->watch)) {
        poster_jpeg_errors_leave(&reader->errors, POSTER_STOPPED, "ended by the watch");
    }
    if ((uint32_t)reader->codec.input_scan_number > reader->max_scans) {
        poster_jpeg_errors_leave(&reader->errors, POSTER_TOO_MANY_SCANS, "too many scans");
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
    free(reader->ranges);
    free(reader);
}

enum poster_status poster_jpeg_reader_open(poster_jpeg_reader *reader, const uint8_t *bytes,
                                                const poster_byte_range *ranges, size_t count,
                                                const poster_watch *watch, uint32_t max_scans,
                                                poster_jpeg_frame *frame) {
    if (reader->errors.status != POSTER_OK || reader->ranges) return POSTER_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->watch = *watch;
    reader->max_scans = max_scans;
    reader->progress.progress_monitor = on_progress;
    reader->codec.progress = &reader->progress;
    reader->ranges = malloc(count * sizeof *ranges);
    if (!reader->ranges) return POSTER_OUT_OF_MEMORY;
    memcpy(reader->ranges, ranges, count * sizeof *ranges);
    install_source(&reader->codec, &reader->source, bytes, reader->ranges, count);
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

enum poster_status poster_jpeg_reader_start(poster_jpeg_reader *reader, uint32_t eighths, int32_t smooths,
                                                 poster_jpeg_layout *layout) {
    if (reader->errors.status != POSTER_OK) return POSTER_MISUSE;
    if (eighths != 1 && eighths != 2 && eighths != 4 && eighths != 8) return POSTER_MISUSE;
    if (reader->codec.num_components > max_planes) return POSTER_MISUSE;
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

enum poster_status poster_jpeg_reader_read_group(poster_jpeg_reader *reader, uint8_t *const *planes,
                                                      const size_t *strides) {
    if (reader->errors.status != POSTER_OK) return POSTER_MISUSE;
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

enum poster_status poster_jpeg_reader_finish(poster_jpeg_reader *reader) {
    if (reader->errors.status != POSTER_OK) return POSTER_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    jpeg_finish_decompress(&reader->codec);
    return reader->errors.status;
}

const char *poster_jpeg_reader_message(const poster_jpeg_reader *reader) { return reader->errors.message; }
