#include "poster_jpeg.h"

#include <stdlib.h>

#include <jerror.h>

#include "poster_jpeg_errors.h"

enum { max_planes = 3, max_rows_per_group = 2 * DCTSIZE, first_capacity = 32 << 10 };

// See poster_jpeg_reader.c for why nothing here is `volatile`.
struct poster_jpeg_writer {
    struct jpeg_compress_struct codec;
    struct poster_jpeg_errors errors;
    // Our own, because libjpeg's jpeg_mem_dest tells where its buffer is only at the very end: a picture that is given
    // up half-way would leak the buffer and free another one twice.
    struct jpeg_destination_mgr destination;
    unsigned char *bytes;
    size_t capacity;
    size_t count;
    uint32_t group;
    int used;
    JSAMPROW rows[max_planes][max_rows_per_group];
    JSAMPARRAY planes[max_planes];
};

static void reserve(poster_jpeg_writer *writer, size_t capacity) {
    unsigned char *bytes = realloc(writer->bytes, capacity);
    if (!bytes) ERREXIT1(&writer->codec, JERR_OUT_OF_MEMORY, 10);
    writer->destination.next_output_byte = bytes + writer->capacity;
    writer->destination.free_in_buffer = capacity - writer->capacity;
    writer->bytes = bytes;
    writer->capacity = capacity;
}

static void on_output_begin(j_compress_ptr codec) { reserve(codec->client_data, first_capacity); }

// Called when the buffer is full; `next_output_byte` and `free_in_buffer` are stale then.
static boolean on_output_full(j_compress_ptr codec) {
    poster_jpeg_writer *writer = codec->client_data;
    reserve(writer, 2 * writer->capacity);
    return TRUE;
}

static void on_output_end(j_compress_ptr codec) {
    poster_jpeg_writer *writer = codec->client_data;
    writer->count = writer->capacity - writer->destination.free_in_buffer;
}

static int begin(poster_jpeg_writer *writer) {
    if (setjmp(writer->errors.escape)) return 0;
    jpeg_create_compress(&writer->codec);
    return 1;
}

poster_jpeg_writer *poster_jpeg_writer_create(void) {
    poster_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->codec.err = poster_jpeg_errors_install(&writer->errors);
    writer->codec.client_data = writer;
    if (begin(writer)) return writer;
    free(writer);
    return NULL;
}

void poster_jpeg_writer_destroy(poster_jpeg_writer *writer) {
    if (!writer) return;
    jpeg_destroy_compress(&writer->codec);
    free(writer->bytes);
    free(writer);
}

// libjpeg's scale, half a step finer for luma and five coarser for chroma, which comes sharper from the resampler than from
// others: as many bytes as others' for a luma that is more like the original. From 90 on chroma is coded in full.
static void set_quality(struct jpeg_compress_struct *codec, int quality) {
    const int less = quality < 90 ? 5 : 0;
    jpeg_set_quality(codec, quality > less ? quality - less : 1, TRUE);
    const JQUANT_TBL chroma = *codec->quant_tbl_ptrs[1];
    jpeg_set_linear_quality(codec, jpeg_quality_scaling(quality) - (quality >= 50), TRUE);
    *codec->quant_tbl_ptrs[1] = chroma;
}

static void configure(poster_jpeg_writer *writer, const poster_jpeg_picture *picture) {
    struct jpeg_compress_struct *codec = &writer->codec;
    codec->image_width = picture->width;
    codec->image_height = picture->height;
    codec->input_components = (int)picture->component_count;
    codec->in_color_space = picture->component_count == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg_set_defaults(codec);
    set_quality(codec, (int)picture->quality);
    codec->raw_data_in = TRUE;
    codec->dct_method = JDCT_ISLOW;
    if (picture->component_count == 3) {
        codec->comp_info[0].h_samp_factor = (int)picture->luma_horizontal;
        codec->comp_info[0].v_samp_factor = (int)picture->luma_vertical;
    }
    if (picture->progressive) jpeg_simple_progression(codec);
}

static void write_group(poster_jpeg_writer *writer, const poster_jpeg_picture *picture) {
    struct jpeg_compress_struct *codec = &writer->codec;
    for (int i = 0; i < codec->num_components; i++) {
        const uint32_t count = (uint32_t)codec->comp_info[i].v_samp_factor * DCTSIZE;
        const uint32_t last = picture->rows[i] - 1;
        for (uint32_t y = 0; y < count; y++) {
            const uint32_t wanted = writer->group * count + y;
            const uint32_t row = wanted < last ? wanted : last;
            writer->rows[i][y] = (JSAMPROW)(picture->planes[i] + (size_t)row * picture->strides[i]);
        }
        writer->planes[i] = writer->rows[i];
    }
    jpeg_write_raw_data(codec, writer->planes, (JDIMENSION)(codec->max_v_samp_factor * DCTSIZE));
    writer->group += 1;
}

static int is_valid(const poster_jpeg_picture *picture) {
    if (picture->component_count != 1 && picture->component_count != 3) return 0;
    if (picture->luma_horizontal < 1 || picture->luma_horizontal > 2) return 0;
    if (picture->luma_vertical < 1 || picture->luma_vertical > 2) return 0;
    for (uint32_t i = 0; i < picture->component_count; i++) {
        if (!picture->planes[i] || picture->rows[i] == 0) return 0;
    }
    return 1;
}

enum poster_jpeg_status poster_jpeg_writer_encode(poster_jpeg_writer *writer, const poster_jpeg_picture *picture,
                                                  const poster_watch *watch, const uint8_t **bytes,
                                                  size_t *count) {
    if (writer->used || !is_valid(picture)) return POSTER_JPEG_MISUSE;
    writer->used = 1;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    writer->destination.init_destination = on_output_begin;
    writer->destination.empty_output_buffer = on_output_full;
    writer->destination.term_destination = on_output_end;
    writer->codec.dest = &writer->destination;
    configure(writer, picture);
    jpeg_start_compress(&writer->codec, TRUE);
    while (writer->codec.next_scanline < writer->codec.image_height) {
        if (poster_watch_ends(watch)) {
            poster_jpeg_errors_leave(&writer->errors, POSTER_JPEG_STOPPED, "ended by the watch");
        }
        write_group(writer, picture);
    }
    jpeg_finish_compress(&writer->codec);
    *bytes = writer->bytes;
    *count = writer->count;
    return POSTER_JPEG_OK;
}

const char *poster_jpeg_writer_message(const poster_jpeg_writer *writer) { return writer->errors.message; }
