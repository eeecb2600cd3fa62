#include "poster_jpeg.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

#include "poster_jpeg_errors.h"

enum { max_planes = 3, max_rows_per_group = 2 * DCTSIZE, first_capacity = 32 << 10 };

// See poster_jpeg_reader.c for why nothing here is `volatile`.
struct poster_jpeg_writer {
    struct jpeg_compress_struct codec;
    struct poster_jpeg_errors errors;
    // Not jpeg_mem_dest, which reports its buffer only at the end: an abandoned picture would leak the buffer and free
    // another one twice.
    struct jpeg_destination_mgr destination;
    poster_bytes bytes;
    int has_begun;
    JSAMPROW rows[max_planes][max_rows_per_group];
    JSAMPARRAY planes[max_planes];
    // For a picture of coefficients; the arrays live as long as the picture.
    int has_coefficients;
    jvirt_barray_ptr coefficients[max_planes];
    jpeg_scan_info scans[POSTER_JPEG_MAX_SCANS];
    struct jpeg_progress_mgr progress;
    const poster_watch *watch;
};

static void reserve(poster_jpeg_writer *writer, size_t capacity) {
    const size_t before = writer->bytes.capacity;
    if (!poster_bytes_reserve(&writer->bytes, capacity)) ERREXIT1(&writer->codec, JERR_OUT_OF_MEMORY, 10);
    writer->destination.next_output_byte = writer->bytes.start + before;
    writer->destination.free_in_buffer = capacity - before;
}

// At the default quality a pixel takes about a quarter of a byte: the first buffer mostly suffices.
static void on_output_begin(j_compress_ptr codec) {
    const size_t guess = (size_t)codec->image_width * codec->image_height / 3;
    reserve(codec->client_data, guess > first_capacity ? guess : first_capacity);
}

// Called when the buffer is full; `next_output_byte` and `free_in_buffer` are then stale.
static boolean on_output_full(j_compress_ptr codec) {
    poster_jpeg_writer *writer = codec->client_data;
    reserve(writer, 2 * writer->bytes.capacity);
    return TRUE;
}

static void on_output_end(j_compress_ptr codec) {
    poster_jpeg_writer *writer = codec->client_data;
    writer->bytes.count = writer->bytes.capacity - writer->destination.free_in_buffer;
}

static int create(poster_jpeg_writer *writer) {
    if (setjmp(writer->errors.escape)) return 0;
    jpeg_create_compress(&writer->codec);
    return 1;
}

poster_jpeg_writer *poster_jpeg_writer_create(void) {
    poster_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->codec.err = poster_jpeg_errors_install(&writer->errors);
    writer->codec.client_data = writer;
    if (create(writer)) return writer;
    free(writer);
    return NULL;
}

void poster_jpeg_writer_destroy(poster_jpeg_writer *writer) {
    if (!writer) return;
    jpeg_destroy_compress(&writer->codec);
    free(writer->bytes.start);
    free(writer);
}

// libjpeg's quality scale, but half a point finer for luma (from 50 on) and five points coarser for chroma, which
// leaves this resampler sharper than others: as many bytes as other encoders, with a luma closer to the original. From
// 90 on chroma is stored at full resolution and is not coarser.
static void set_quality(struct jpeg_compress_struct *codec, int quality) {
    const int less = quality < 90 ? 5 : 0;
    jpeg_set_quality(codec, quality > less ? quality - less : 1, TRUE);
    const JQUANT_TBL chroma = *codec->quant_tbl_ptrs[1];
    jpeg_set_linear_quality(codec, jpeg_quality_scaling(quality) - (quality >= 50), TRUE);
    *codec->quant_tbl_ptrs[1] = chroma;
}

static void set_destination(poster_jpeg_writer *writer) {
    writer->destination.init_destination = on_output_begin;
    writer->destination.empty_output_buffer = on_output_full;
    writer->destination.term_destination = on_output_end;
    writer->codec.dest = &writer->destination;
}

static void set_picture(struct jpeg_compress_struct *codec, const poster_jpeg_format *format) {
    codec->image_width = format->width;
    codec->image_height = format->height;
    codec->input_components = (int)format->component_count;
    codec->in_color_space = format->component_count == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg_set_defaults(codec);
    if (format->component_count == 3) {
        codec->comp_info[0].h_samp_factor = (int)format->luma_horizontal;
        codec->comp_info[0].v_samp_factor = (int)format->luma_vertical;
    }
}

static void configure(poster_jpeg_writer *writer, const poster_jpeg_format *format) {
    struct jpeg_compress_struct *codec = &writer->codec;
    set_picture(codec, format);
    set_quality(codec, (int)format->quality);
    codec->raw_data_in = TRUE;
    codec->dct_method = JDCT_ISLOW;
    if (format->progressive) jpeg_simple_progression(codec);
}

static void write_group(poster_jpeg_writer *writer, const poster_jpeg_band *band, uint32_t group) {
    struct jpeg_compress_struct *codec = &writer->codec;
    for (int i = 0; i < codec->num_components; i++) {
        const uint32_t count = (uint32_t)codec->comp_info[i].v_samp_factor * DCTSIZE;
        const uint32_t last = band->rows[i] - 1;
        for (uint32_t y = 0; y < count; y++) {
            const uint32_t wanted = group * count + y;
            const uint32_t row = wanted < last ? wanted : last;
            writer->rows[i][y] = (JSAMPROW)(band->planes[i] + (size_t)row * band->strides[i]);
        }
        writer->planes[i] = writer->rows[i];
    }
    jpeg_write_raw_data(codec, writer->planes, (JDIMENSION)(codec->max_v_samp_factor * DCTSIZE));
}

static int is_valid_format(const poster_jpeg_format *format) {
    if (format->component_count != 1 && format->component_count != 3) return 0;
    if (format->luma_horizontal < 1 || format->luma_horizontal > 2) return 0;
    return format->luma_vertical >= 1 && format->luma_vertical <= 2;
}

// Whether all planes have rows, and enough for the groups of the first plane.
static int is_valid_band(const poster_jpeg_writer *writer, const poster_jpeg_band *band) {
    const struct jpeg_compress_struct *codec = &writer->codec;
    if (!writer->has_begun || codec->next_scanline >= codec->image_height) return 0;
    const uint32_t left = codec->image_height - codec->next_scanline;
    for (int i = 0; i < codec->num_components; i++) {
        const uint32_t factor = (uint32_t)codec->comp_info[i].v_samp_factor;
        if (!band->planes[i] || band->rows[i] == 0) return 0;
        const uint32_t pixels = band->rows[i] * ((uint32_t)codec->max_v_samp_factor / factor);
        if (band->rows[i] % (factor * DCTSIZE) != 0 && pixels < left) return 0;
    }
    return 1;
}

enum poster_status poster_jpeg_writer_begin(poster_jpeg_writer *writer, const poster_jpeg_format *format) {
    if (writer->has_begun || !is_valid_format(format)) return POSTER_MISUSE;
    writer->has_begun = 1;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    set_destination(writer);
    configure(writer, format);
    jpeg_start_compress(&writer->codec, TRUE);
    return POSTER_OK;
}

enum poster_status poster_jpeg_writer_write(poster_jpeg_writer *writer, const poster_jpeg_band *band,
                                                 const poster_watch *watch) {
    if (!is_valid_band(writer, band)) return POSTER_MISUSE;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    const uint32_t rows_per_group = (uint32_t)writer->codec.comp_info[0].v_samp_factor * DCTSIZE;
    const uint32_t groups = (band->rows[0] + rows_per_group - 1) / rows_per_group;
    for (uint32_t group = 0; group < groups; group++) {
        if (poster_watch_ends(watch)) {
            poster_jpeg_errors_leave(&writer->errors, POSTER_STOPPED, "ended by the watch");
        }
        write_group(writer, band, group);
    }
    return POSTER_OK;
}

enum poster_status poster_jpeg_writer_finish(poster_jpeg_writer *writer, poster_bytes *bytes) {
    if (!writer->has_begun) return POSTER_MISUSE;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    jpeg_finish_compress(&writer->codec);
    poster_bytes_trim(&writer->bytes);
    *bytes = writer->bytes;
    writer->bytes = (poster_bytes){0};
    return POSTER_OK;
}

static void request_coefficients(poster_jpeg_writer *writer, poster_jpeg_plane_blocks *planes) {
    struct jpeg_compress_struct *codec = &writer->codec;
    const j_common_ptr common = (j_common_ptr)codec;
    const int across = codec->comp_info[0].h_samp_factor, down = codec->comp_info[0].v_samp_factor;
    for (int i = 0; i < codec->num_components; i++) {
        // Whole groups of blocks; jcmaster.c computes the same.
        const JDIMENSION groups_across = (codec->image_width + across * DCTSIZE - 1) / (across * DCTSIZE);
        const JDIMENSION groups_down = (codec->image_height + down * DCTSIZE - 1) / (down * DCTSIZE);
        planes[i].blocks_across = groups_across * codec->comp_info[i].h_samp_factor;
        planes[i].blocks_down = groups_down * codec->comp_info[i].v_samp_factor;
        writer->coefficients[i] = codec->mem->request_virt_barray(
            common, JPOOL_IMAGE, FALSE, planes[i].blocks_across, planes[i].blocks_down, planes[i].blocks_down);
    }
    codec->mem->realize_virt_arrays(common);
    for (int i = 0; i < codec->num_components; i++) {
        planes[i].rows = (int16_t *const *)codec->mem->access_virt_barray(common, writer->coefficients[i], 0,
                                                                          planes[i].blocks_down, TRUE);
    }
}

// libjpeg calls it for each row of groups in each pass.
static void on_progress(j_common_ptr codec) {
    poster_jpeg_writer *writer = codec->client_data;
    if (poster_watch_ends(writer->watch)) {
        poster_jpeg_errors_leave(&writer->errors, POSTER_STOPPED, "ended by the watch");
    }
}

static void apply_script(poster_jpeg_writer *writer, const poster_jpeg_script *script) {
    struct jpeg_compress_struct *codec = &writer->codec;
    codec->optimize_coding = TRUE;
    for (int i = 0; i < 2; i++) {
        // jpeg_set_defaults allocated both tables.
        memcpy(codec->quant_tbl_ptrs[i]->quantval, script->quantisers[i], sizeof script->quantisers[i]);
    }
    for (uint32_t i = 0; i < script->scan_count; i++) {
        const poster_jpeg_scan *scan = &script->scans[i];
        jpeg_scan_info *info = &writer->scans[i];
        info->comps_in_scan = scan->component_count;
        for (int c = 0; c < scan->component_count; c++) info->component_index[c] = scan->component + c;
        info->Ss = scan->first;
        info->Se = scan->last;
        info->Ah = scan->high_bit;
        info->Al = scan->low_bit;
    }
    codec->scan_info = script->scan_count > 0 ? writer->scans : NULL;
    codec->num_scans = (int)script->scan_count;
}

enum poster_status poster_jpeg_writer_begin_coefficients(poster_jpeg_writer *writer,
                                                              const poster_jpeg_format *format,
                                                              poster_jpeg_plane_blocks *planes) {
    if (writer->has_begun || !is_valid_format(format)) return POSTER_MISUSE;
    writer->has_begun = 1;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    set_destination(writer);
    set_picture(&writer->codec, format);
    request_coefficients(writer, planes);
    writer->has_coefficients = 1;
    return POSTER_OK;
}

enum poster_status poster_jpeg_writer_finish_coefficients(poster_jpeg_writer *writer,
                                                               const poster_jpeg_script *script,
                                                               const poster_watch *watch, poster_bytes *bytes) {
    if (!writer->has_coefficients || script->scan_count > POSTER_JPEG_MAX_SCANS) return POSTER_MISUSE;
    writer->has_coefficients = 0;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    apply_script(writer, script);
    writer->watch = watch;
    writer->progress.progress_monitor = on_progress;
    writer->codec.progress = &writer->progress;
    jpeg_write_coefficients(&writer->codec, writer->coefficients);
    return poster_jpeg_writer_finish(writer, bytes);
}

const char *poster_jpeg_writer_message(const poster_jpeg_writer *writer) { return writer->errors.message; }
