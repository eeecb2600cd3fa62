#include "codec_testing_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

enum { max_scans = 100 };

struct encoder {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    jpeg_scan_info scans[max_scans];
    unsigned char *bytes;
    unsigned long count;
};

static void on_fatal(j_common_ptr codec) { longjmp(((struct encoder *)codec)->escape, 1); }

static int encode(struct encoder *encoder, const codec_testing_jpeg_format *format, const uint8_t *samples) {
    struct jpeg_compress_struct *codec = &encoder->codec;
    if (setjmp(encoder->escape)) return 0;
    jpeg_create_compress(codec);
    jpeg_mem_dest(codec, &encoder->bytes, &encoder->count);
    codec->image_width = format->width;
    codec->image_height = format->height;
    codec->input_components = format->component_count;
    codec->in_color_space =
        format->component_count == 1 ? JCS_GRAYSCALE : format->component_count == 3 ? JCS_YCbCr : JCS_CMYK;
    jpeg_set_defaults(codec);
    jpeg_set_colorspace(codec, codec->in_color_space);
    jpeg_set_quality(codec, format->quality, TRUE);
    codec->restart_interval = format->restart_interval;
    codec->scan_info = encoder->scans;
    codec->num_scans = format->scan_count;
    for (int i = 0; i < format->component_count; i++) {
        codec->comp_info[i].h_samp_factor = format->horizontal[i];
        codec->comp_info[i].v_samp_factor = format->vertical[i];
    }
    jpeg_start_compress(codec, TRUE);
    while (codec->next_scanline < codec->image_height) {
        const size_t row_size = (size_t)format->width * (size_t)format->component_count;
        JSAMPROW row = (JSAMPROW)(samples + row_size * codec->next_scanline);  // libjpeg only reads
        jpeg_write_scanlines(codec, &row, 1);
    }
    jpeg_finish_compress(codec);
    return 1;
}

size_t codec_testing_jpeg(const codec_testing_jpeg_format *format, const codec_testing_scan *scans,
                          const uint8_t *samples, uint8_t *output, size_t capacity) {
    if (format->scan_count > max_scans) return 0;
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return 0;
    encoder->codec.err = jpeg_std_error(&encoder->errors);
    encoder->errors.error_exit = on_fatal;
    for (int i = 0; i < format->scan_count; i++) {
        jpeg_scan_info *scan = &encoder->scans[i];
        scan->comps_in_scan = scans[i].component_count;
        memcpy(scan->component_index, scans[i].components, sizeof scan->component_index);
        scan->Ss = scans[i].first;
        scan->Se = scans[i].last;
        scan->Ah = scans[i].high_bit;
        scan->Al = scans[i].low_bit;
    }
    size_t count = encode(encoder, format, samples) ? encoder->count : 0;
    if (count > capacity) count = 0;
    if (count > 0) memcpy(output, encoder->bytes, count);
    jpeg_destroy_compress(&encoder->codec);
    free(encoder->bytes);
    free(encoder);
    return count;
}
