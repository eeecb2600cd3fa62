#include "poster_png_errors.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

static void note(struct poster_png_errors *errors, enum poster_status status, const char *message) {
    if (errors->status != POSTER_OK) return;  // only the first failure counts
    errors->status = status;
    strncpy(errors->message, message, sizeof errors->message - 1);
}

// libpng's "fatal" hook. It must not return, so it jumps to the buffer that the running entry point armed. No Swift
// frame lies in between: libpng never calls back into Swift.
void poster_png_on_error(png_structp png, png_const_charp message) {
    poster_png_errors_leave(png_get_error_ptr(png), POSTER_CORRUPT, message);
}

void poster_png_on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

png_voidp poster_png_allocate(png_structp png, png_alloc_size_t size) {
    void *memory = malloc(size);
    if (!memory) note(png_get_mem_ptr(png), POSTER_OUT_OF_MEMORY, "out of memory");
    return memory;
}

void poster_png_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

void poster_png_errors_leave(struct poster_png_errors *errors, enum poster_status status, const char *message) {
    note(errors, status, message);
    longjmp(errors->escape, 1);
}

const char *poster_png_version(void) { return png_get_libpng_ver(NULL); }

uint32_t poster_crc32(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }

const char *poster_zlib_version(void) { return zlibVersion(); }
