#include "poster_png.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "poster_png_errors.h"

enum { rows_between_questions = 16 };

// As in the reader, nothing depends on a local after longjmp.
struct poster_png_writer {
    png_structp png;
    png_infop info;
    struct poster_png_errors errors;
    int used;
    poster_bytes bytes;
};

static int begin(poster_png_writer *writer) {
    if (setjmp(writer->errors.escape)) return 0;
    writer->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer->errors, poster_png_on_error,
                                            poster_png_on_warning, &writer->errors, poster_png_allocate,
                                            poster_png_free);
    if (!writer->png) return 0;
    writer->info = png_create_info_struct(writer->png);
    return writer->info != NULL;
}

poster_png_writer *poster_png_writer_create(void) {
    poster_png_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    if (begin(writer)) return writer;
    poster_png_writer_destroy(writer);
    return NULL;
}

void poster_png_writer_destroy(poster_png_writer *writer) {
    if (!writer) return;
    if (writer->png) png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes.start);
    free(writer);
}

static void on_write(png_structp png, png_bytep source, size_t count) {
    poster_png_writer *writer = png_get_io_ptr(png);
    if (!poster_bytes_append(&writer->bytes, source, count)) {
        poster_png_errors_leave(&writer->errors, POSTER_OUT_OF_MEMORY, "out of memory");
    }
}

static void on_flush(png_structp png) { (void)png; }

static void configure(poster_png_writer *writer, const poster_png_picture *picture) {
    const int colours = picture->channels == 1                           ? PNG_COLOR_TYPE_GRAY
                        : picture->channels == 4 && !picture->drops_alpha ? PNG_COLOR_TYPE_RGB_ALPHA
                                                                          : PNG_COLOR_TYPE_RGB;
    png_set_write_fn(writer->png, writer, on_write, on_flush);
    png_set_IHDR(writer->png, writer->info, picture->width, picture->height, 8, colours, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer->png, (int)picture->level);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FAST_FILTERS);  // none, Sub and Up
    png_write_info(writer->png, writer->info);
    if (picture->channels == 4 && picture->drops_alpha) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
}

enum poster_status poster_png_writer_encode(poster_png_writer *writer, const poster_png_picture *picture,
                                                const poster_watch *watch, poster_bytes *bytes) {
    if (writer->used) return POSTER_MISUSE;
    if (picture->channels != 1 && picture->channels != 3 && picture->channels != 4) return POSTER_MISUSE;
    writer->used = 1;
    if (setjmp(writer->errors.escape)) return writer->errors.status;
    configure(writer, picture);
    for (uint32_t y = 0; y < picture->height; y++) {
        if (y % rows_between_questions == 0 && poster_watch_ends(watch)) {
            poster_png_errors_leave(&writer->errors, POSTER_STOPPED, "ended by the watch");
        }
        png_write_row(writer->png, picture->pixels + y * picture->stride);
    }
    png_write_end(writer->png, NULL);
    poster_bytes_trim(&writer->bytes);
    *bytes = writer->bytes;
    writer->bytes = (poster_bytes){0};
    return writer->errors.status;
}

const char *poster_png_writer_message(const poster_png_writer *writer) { return writer->errors.message; }
