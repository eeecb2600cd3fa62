#include "poster_jpeg.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "poster_jpeg_arena.h"
#include "poster_jpeg_errors.h"

enum { max_planes = 4, max_rows_per_group = MAX_SAMP_FACTOR * DCTSIZE };

// Presents ranges of one buffer to libjpeg as if they were a file.
struct poster_jpeg_source {
    struct jpeg_source_mgr manager;  // first, so that codec->src is this struct
    const uint8_t *bytes;
    const poster_byte_range *next, *end;
    // Whether only `arrived` bytes of the single range are available. libjpeg's buffer then ends there.
    int is_arriving;
    size_t arrived;
    // Whether the file may end without an end of image, because all scans were found or the only one is being read.
    int may_end;
};

// All state is on the heap. Every function that arms the jump has only parameters, and locals set after arming that are
// not read in the setjmp branch, so nothing depends on a local after longjmp: no `volatile`.
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

// Returns 0 if nothing is left.
static int advance(struct poster_jpeg_source *source) {
    while (source->next != source->end) {
        const poster_byte_range range = *source->next++;
        if (range.length == 0) continue;
        source->manager.next_input_byte = source->bytes + range.offset;
        source->manager.bytes_in_buffer = source->is_arriving ? source->arrived : range.length;
        return 1;
    }
    return 0;
}

static boolean on_fill(j_decompress_ptr codec) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    struct poster_jpeg_source *source = (struct poster_jpeg_source *)codec->src;
    if (source->is_arriving) return FALSE;  // libjpeg returns to a point from which it can restart
    if (!advance(source)) {
        poster_jpeg_reader *reader = codec->client_data;
        reader->errors.is_past_end = 1;
        // The Huffman decoder warns if it needs more bits than there are; the arithmetic decoder reads zeros instead.
        if (!source->may_end) WARNMS(codec, JWRN_JPEG_EOF);
        source->manager.next_input_byte = end_of_image;
        source->manager.bytes_in_buffer = sizeof end_of_image;
    }
    return TRUE;
}

static void on_skip(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    size_t left = (size_t)count;
    const struct poster_jpeg_source *source = (const struct poster_jpeg_source *)codec->src;
    if (source->is_arriving && left > codec->src->bytes_in_buffer) {
        poster_jpeg_reader *reader = codec->client_data;
        poster_jpeg_errors_leave(&reader->errors, POSTER_HUNGRY, "a segment has not arrived");
    }
    // The input never ends: after the last range come end-of-image markers, two bytes each, for at most 64 KiB.
    while (left > codec->src->bytes_in_buffer) {
        left -= codec->src->bytes_in_buffer;
        on_fill(codec);
    }
    codec->src->next_input_byte += left;
    codec->src->bytes_in_buffer -= left;
}

// Makes `codec` read `ranges` of `bytes` in their order, without copying; empty ranges are skipped. After the last
// range it behaves like jpeg_mem_src after the last byte: it warns, unless the file may end, and supplies an end of
// image.
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

// libjpeg calls this between rows of blocks, also while it reads all scans of a progressive file.
static void on_progress(j_common_ptr common) {
    poster_jpeg_reader *reader = common->client_data;
    if (poster_watch_ends(&reader->watch)) {
        poster_jpeg_errors_leave(&reader->errors, POSTER_STOPPED, "ended by the watch");
    }
    if ((uint32_t)reader->codec.input_scan_number > reader->max_scans) {
        poster_jpeg_errors_leave(&reader->errors, POSTER_TOO_MANY_SCANS, "too many scans");
    }
}

// Whether the first scan has the whole picture: libjpeg decodes it while reading, and reads nothing after it.
static int has_one_scan(const struct jpeg_decompress_struct *codec) {
    return !codec->progressive_mode && codec->comps_in_scan == codec->num_components;
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

enum poster_status poster_jpeg_reader_feed(poster_jpeg_reader *reader, size_t count, int32_t is_complete) {
    struct poster_jpeg_source *source = &reader->source;
    if (reader->errors.status != POSTER_OK) return POSTER_MISUSE;
    if (reader->ranges) {
        if (!source->is_arriving) return POSTER_OK;
        if (count < source->arrived || count > reader->ranges[0].length) return POSTER_MISUSE;
        // Whatever libjpeg's position, its buffer ends where the previous bytes ended.
        source->manager.bytes_in_buffer += count - source->arrived;
    }
    source->arrived = count;
    source->is_arriving = !is_complete;
    return POSTER_OK;
}

enum poster_status poster_jpeg_reader_open(poster_jpeg_reader *reader, const uint8_t *bytes,
                                                const poster_byte_range *ranges, size_t count, int32_t may_end,
                                                const poster_watch *watch, uint32_t max_scans,
                                                poster_jpeg_frame *frame) {
    if (reader->errors.status != POSTER_OK || reader->ranges) return POSTER_MISUSE;
    const struct poster_jpeg_source *source = &reader->source;
    if (source->is_arriving && (count != 1 || ranges[0].offset != 0 || source->arrived > ranges[0].length)) {
        return POSTER_MISUSE;
    }
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->watch = *watch;
    reader->max_scans = max_scans;
    reader->progress.progress_monitor = on_progress;
    reader->codec.progress = &reader->progress;
    reader->ranges = malloc(count * sizeof *ranges);
    if (!reader->ranges) return POSTER_OUT_OF_MEMORY;
    memcpy(reader->ranges, ranges, count * sizeof *ranges);
    reader->source.may_end = may_end;
    install_source(&reader->codec, &reader->source, bytes, reader->ranges, count);
    if (jpeg_read_header(&reader->codec, TRUE) == JPEG_SUSPENDED) return POSTER_HUNGRY;
    if (reader->source.is_arriving) {
        // Several scans are all read at the start, and the arithmetic decoder cannot be suspended.
        if (!has_one_scan(&reader->codec) || reader->codec.arith_code) return POSTER_HUNGRY;
    }
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

// Whether the scale and the picture are valid for starting.
static int can_start(const poster_jpeg_reader *reader, uint32_t eighths) {
    if (reader->errors.status != POSTER_OK) return 0;
    if (eighths != 1 && eighths != 2 && eighths != 4 && eighths != 8) return 0;
    return reader->codec.num_components <= max_planes;
}

static void set_options(struct jpeg_decompress_struct *codec, uint32_t eighths, int32_t smooths) {
    codec->scale_num = eighths;
    codec->scale_denom = 8;
    codec->raw_data_out = TRUE;
    codec->out_color_space = codec->jpeg_color_space;
    codec->do_block_smoothing = smooths != 0;
    codec->dct_method = JDCT_ISLOW;
}

enum poster_status poster_jpeg_reader_start(poster_jpeg_reader *reader, uint32_t eighths, int32_t smooths,
                                                 poster_jpeg_layout *layout) {
    if (!can_start(reader, eighths)) return POSTER_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    set_options(&reader->codec, eighths, smooths);
    if (has_one_scan(&reader->codec) && !reader->codec.arith_code) reader->source.may_end = 1;
    jpeg_start_decompress(&reader->codec);
    describe(reader, layout);
    return reader->errors.status;
}

// libjpeg takes a component's quantisers when it reads the component's first scan, but here it reads only the file's
// first scan.
static int take_quantisers(struct jpeg_decompress_struct *codec) {
    for (int i = 0; i < codec->num_components; i++) {
        jpeg_component_info *component = &codec->comp_info[i];
        if (component->quant_table) continue;
        const int index = component->quant_tbl_no;
        if (index < 0 || index >= NUM_QUANT_TBLS || !codec->quant_tbl_ptrs[index]) return 0;
        component->quant_table = codec->quant_tbl_ptrs[index];
    }
    return 1;
}

enum poster_status poster_jpeg_reader_start_group(poster_jpeg_reader *reader, uint32_t eighths,
                                                       poster_jpeg_layout *layout, poster_jpeg_group *group) {
    if (!can_start(reader, eighths)) return POSTER_MISUSE;
    struct jpeg_decompress_struct *codec = &reader->codec;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->arena.holds_group = TRUE;
    set_options(codec, eighths, 0);
    // In this mode libjpeg delivers rows while scans are still to be read, and stores coefficients in arrays.
    codec->buffered_image = TRUE;
    jpeg_start_decompress(codec);
    if (!take_quantisers(codec)) return POSTER_MISUSE;
    // libjpeg reads on by itself only for rows that the current scan has not reached.
    codec->input_iMCU_row = codec->total_iMCU_rows;
    jpeg_start_output(codec, codec->input_scan_number);
    describe(reader, layout);
    for (int i = 0; i < codec->num_components; i++) {
        JDIMENSION blocks_per_row = 0;
        int16_t *coefficients = poster_jpeg_arena_group(&reader->arena, i, codec->num_components, &blocks_per_row);
        if (!coefficients) return POSTER_MISUSE;
        const jpeg_component_info *component = &codec->comp_info[i];
        group->components[i] = (poster_jpeg_blocks){
            coefficients, blocks_per_row, component->width_in_blocks, component->height_in_blocks};
    }
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
    const JDIMENSION wanted = (JDIMENSION)(reader->codec.max_v_samp_factor * reader->codec.min_DCT_scaled_size);
    const JDIMENSION rows = jpeg_read_raw_data(&reader->codec, reader->planes, wanted);
    if (reader->errors.status == POSTER_OK && rows == 0 && reader->source.is_arriving) return POSTER_HUNGRY;
    return reader->errors.status;
}

enum poster_status poster_jpeg_reader_finish(poster_jpeg_reader *reader) {
    if (reader->errors.status != POSTER_OK) return POSTER_MISUSE;
    // Data after the only scan is not shown, so it may be missing or damaged.
    if (has_one_scan(&reader->codec)) return POSTER_OK;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    if (!jpeg_finish_decompress(&reader->codec) && reader->errors.status == POSTER_OK) return POSTER_HUNGRY;
    return reader->errors.status;
}

const char *poster_jpeg_reader_message(const poster_jpeg_reader *reader) { return reader->errors.message; }
