#include "poster_png.h"

#include <stdlib.h>
#include <string.h>

#include "poster_png_errors.h"

// All state is on the heap. Every function that arms the jump has only parameters, and locals set after arming that are
// not read in the setjmp branch, so nothing depends on a local after longjmp: no `volatile`.
struct poster_png_reader {
    png_structp png;
    png_infop info;
    struct poster_png_errors errors;
    poster_watch watch;
    const uint8_t *next;
    size_t left;
    // Whether the file ended after the last row.
    int is_cut;
};

static int begin(poster_png_reader *reader) {
    if (setjmp(reader->errors.escape)) return 0;
    reader->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader->errors, poster_png_on_error,
                                           poster_png_on_warning, &reader->errors, poster_png_allocate,
                                           poster_png_free);
    if (!reader->png) return 0;
    reader->info = png_create_info_struct(reader->png);
    return reader->info != NULL;
}

poster_png_reader *poster_png_reader_create(void) {
    poster_png_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    if (begin(reader)) return reader;
    poster_png_reader_destroy(reader);
    return NULL;
}

void poster_png_reader_destroy(poster_png_reader *reader) {
    if (!reader) return;
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);  // never fails, legal in any state
    free(reader);
}

static void on_read(png_structp png, png_bytep target, size_t count) {
    poster_png_reader *reader = png_get_io_ptr(png);
    // libpng also inflates the data after the last row, which may expand a thousandfold.
    if (poster_watch_ends(&reader->watch)) {
        poster_png_errors_leave(&reader->errors, POSTER_STOPPED, "ended by the watch");
    }
    if (count > reader->left) poster_png_errors_leave(&reader->errors, POSTER_TRUNCATED, "the file ends too early");
    memcpy(target, reader->next, count);
    reader->next += count;
    reader->left -= count;
}

static void configure(poster_png_reader *reader, const poster_png_options *options) {
    png_structp png = reader->png;
    png_set_read_fn(png, reader, on_read);
    png_set_user_limits(png, options->max_width, options->max_height);
    png_set_chunk_malloc_max(png, reader->left);  // no chunk is larger than its file
    png_set_chunk_cache_max(png, 1);
    // Skips all chunks but IHDR, PLTE, tRNS, IDAT and IEND.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    // IDAT has zlib's checksum; a second checksum would take 3 ms of 60. Ancillary chunks are still verified.
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_NO_CHANGE);
    // Browsers show indices outside of the palette as black, and so does libpng.
    png_set_check_for_invalid_index(png, 0);
}

enum poster_status poster_png_reader_open(poster_png_reader *reader, const uint8_t *bytes, size_t count,
                                              const poster_png_options *options, const poster_watch *watch,
                                              poster_png_frame *frame) {
    if (reader->errors.status != POSTER_OK || reader->next) return POSTER_MISUSE;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->watch = *watch;
    reader->next = bytes;
    reader->left = count;
    configure(reader, options);
    png_read_info(reader->png, reader->info);
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);  // rounds
    if (options->gamma > 0) png_set_gamma_fixed(reader->png, PNG_GAMMA_sRGB, options->gamma);
    frame->passes = (uint32_t)png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    frame->width = png_get_image_width(reader->png, reader->info);
    frame->height = png_get_image_height(reader->png, reader->info);
    frame->channels = png_get_channels(reader->png, reader->info);
    if (png_get_rowbytes(reader->png, reader->info) != (size_t)frame->width * frame->channels) return POSTER_MISUSE;
    return reader->errors.status;
}

// libpng counts a row, or a pass, when the row is written, and reads to the end of the picture's data after that.
static int has_all_rows(const poster_png_reader *reader) {
    if (png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE) {
        return png_get_current_pass_number(reader->png) >= PNG_INTERLACE_ADAM7_PASSES;
    }
    return png_get_current_row_number(reader->png) >= png_get_image_height(reader->png, reader->info);
}

// The status after a jump. Data missing after the last row is not shown, and ignored.
static enum poster_status status_after_jump(poster_png_reader *reader) {
    if (reader->errors.status != POSTER_TRUNCATED || !has_all_rows(reader)) return reader->errors.status;
    reader->errors.status = POSTER_OK;
    reader->is_cut = 1;
    return POSTER_OK;
}

enum poster_status poster_png_reader_read_row(poster_png_reader *reader, uint8_t *row) {
    if (reader->errors.status != POSTER_OK || reader->is_cut) return POSTER_MISUSE;
    if (setjmp(reader->errors.escape)) return status_after_jump(reader);
    png_read_row(reader->png, row, NULL);
    return reader->errors.status;
}

enum poster_status poster_png_reader_finish(poster_png_reader *reader) {
    if (reader->errors.status != POSTER_OK) return POSTER_MISUSE;
    if (reader->is_cut) return POSTER_OK;
    if (setjmp(reader->errors.escape)) return status_after_jump(reader);
    png_read_end(reader->png, NULL);
    return reader->errors.status;
}

const char *poster_png_reader_message(const poster_png_reader *reader) { return reader->errors.message; }
