#ifndef POSTER_JPEG_ERRORS_H
#define POSTER_JPEG_ERRORS_H

// libjpeg's error hooks over a jump buffer, shared by reader and writer.

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "poster_jpeg.h"

struct poster_jpeg_errors {
    struct jpeg_error_mgr manager;  // first, so that codec->err is this struct
    jmp_buf escape;
    enum poster_status status;
    /// Whether all data was read: bits missing after that were cut off.
    int is_past_end;
    char message[JMSG_LENGTH_MAX];
};

/// Installs the hooks and returns the manager for `codec->err`.
struct jpeg_error_mgr *poster_jpeg_errors_install(struct poster_jpeg_errors *errors);

/// Leaves the running entry point with `status`.
_Noreturn void poster_jpeg_errors_leave(struct poster_jpeg_errors *errors, enum poster_status status,
                                        const char *message);

#endif
