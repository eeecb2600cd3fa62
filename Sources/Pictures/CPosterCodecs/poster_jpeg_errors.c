#include "poster_jpeg_errors.h"

#include <string.h>

#include <jerror.h>

// libjpeg's "fatal" hook. It must not return, so it jumps to the buffer that the running entry point armed. No Swift
// frame lies in between: libjpeg never calls back into Swift.
static void on_fatal(j_common_ptr codec) {
    struct poster_jpeg_errors *errors = (struct poster_jpeg_errors *)codec->err;
    codec->err->format_message(codec, errors->message);
    switch (codec->err->msg_code) {
        case JERR_OUT_OF_MEMORY: errors->status = POSTER_OUT_OF_MEMORY; break;
        case JERR_INPUT_EMPTY: errors->status = POSTER_TRUNCATED; break;
        // After the last byte libjpeg reads an end of image, and reports the missing segment.
        default: errors->status = errors->is_past_end ? POSTER_TRUNCATED : POSTER_CORRUPT; break;
    }
    longjmp(errors->escape, 1);
}

// Warnings have a negative level. libjpeg pads damaged data with gray, which must not appear in a poster.
static void on_message(j_common_ptr codec, int level) {
    struct poster_jpeg_errors *errors = (struct poster_jpeg_errors *)codec->err;
    if (level >= 0 || errors->status != POSTER_OK) return;
    codec->err->num_warnings += 1;
    switch (codec->err->msg_code) {
        case JWRN_JPEG_EOF: errors->status = POSTER_TRUNCATED; break;
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_MUST_RESYNC:
        case JWRN_ARITH_BAD_CODE: errors->status = errors->is_past_end ? POSTER_TRUNCATED : POSTER_CORRUPT; break;
        default: return;  // bytes between segments and the like: harmless
    }
    codec->err->format_message(codec, errors->message);
}

static void on_print(j_common_ptr codec) { (void)codec; }

struct jpeg_error_mgr *poster_jpeg_errors_install(struct poster_jpeg_errors *errors) {
    jpeg_std_error(&errors->manager);
    errors->manager.error_exit = on_fatal;
    errors->manager.emit_message = on_message;
    errors->manager.output_message = on_print;
    return &errors->manager;
}

void poster_jpeg_errors_leave(struct poster_jpeg_errors *errors, enum poster_status status, const char *message) {
    errors->status = status;
    strncpy(errors->message, message, sizeof errors->message - 1);
    longjmp(errors->escape, 1);
}

#define POSTER_STRING2(x) #x
#define POSTER_STRING(x) POSTER_STRING2(x)

const char *poster_jpeg_version(void) { return POSTER_STRING(LIBJPEG_TURBO_VERSION); }
