#ifndef POSTER_PNG_ERRORS_H
#define POSTER_PNG_ERRORS_H

// libpng's hooks over a jump buffer, for the writer.

#include <setjmp.h>

#include <png.h>

#include "poster_png.h"

struct poster_png_errors {
    jmp_buf escape;
    enum poster_status status;
    char message[128];
};

/// Callbacks for png_create_write_struct_2; both error and memory pointers are the struct.
void poster_png_on_error(png_structp png, png_const_charp message);
void poster_png_on_warning(png_structp png, png_const_charp message);
png_voidp poster_png_allocate(png_structp png, png_alloc_size_t size);
void poster_png_free(png_structp png, png_voidp memory);

/// Leaves the running entry point with `status`.
_Noreturn void poster_png_errors_leave(struct poster_png_errors *errors, enum poster_status status,
                                       const char *message);

#endif
