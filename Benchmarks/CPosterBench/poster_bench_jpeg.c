#include "poster_bench_jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// All state lives on the heap and every function that arms the jump has only parameters, so nothing depends on a local
// after longjmp: no `volatile`.
struct poster_bench_jpeg {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    int has_failed;
    JSAMPROW row;
    char message[JMSG_LENGTH_MAX];
};

// libjpeg's "fatal" hook. It must not return, so it leaves by the jump buffer that the running entry point armed.
// No Swift frame lies in between: libjpeg never calls back into Swift.
static void on_fatal(j_common_ptr codec) {
    poster_bench_jpeg *reader = codec->client_data;
    codec->err->format_message(codec, reader->message);
    reader->has_failed = 1;
    longjmp(reader->escape, 1);
}

// Ignores warnings: the codec under test decodes the same file first and rejects damaged data.
static void on_print(j_common_ptr codec) { (void)codec; }

static int begin(poster_bench_jpeg *reader) {
    if (setjmp(reader->escape)) return 0;
    jpeg_create_decompress(&reader->codec);  // keeps err and client_data
    return 1;
}

poster_bench_jpeg *poster_bench_jpeg_create(void) {
    poster_bench_jpeg *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->codec.err = jpeg_std_error(&reader->errors);
    reader->codec.client_data = reader;
    reader->errors.error_exit = on_fatal;
    reader->errors.output_message = on_print;
    if (begin(reader)) return reader;
    free(reader);
    return NULL;
}

void poster_bench_jpeg_destroy(poster_bench_jpeg *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->codec);  // never fails, legal in any state
    free(reader);
}

int32_t poster_bench_jpeg_open(poster_bench_jpeg *reader, const uint8_t *bytes, size_t count, uint32_t *width,
                               uint32_t *height) {
    if (reader->has_failed) return 0;
    if (setjmp(reader->escape)) return 0;
    jpeg_mem_src(&reader->codec, bytes, count);
    jpeg_read_header(&reader->codec, TRUE);
    *width = reader->codec.image_width;
    *height = reader->codec.image_height;
    return 1;
}

int32_t poster_bench_jpeg_decode(poster_bench_jpeg *reader, uint8_t *rgba) {
    if (reader->has_failed) return 0;
    if (setjmp(reader->escape)) return 0;
    reader->codec.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&reader->codec);
    while (reader->codec.output_scanline < reader->codec.output_height) {
        reader->row = rgba + (size_t)4 * reader->codec.output_width * reader->codec.output_scanline;
        jpeg_read_scanlines(&reader->codec, &reader->row, 1);
    }
    jpeg_finish_decompress(&reader->codec);
    return 1;
}

const char *poster_bench_jpeg_message(const poster_bench_jpeg *reader) { return reader->message; }
