#ifndef POSTER_BENCH_JPEG_H
#define POSTER_BENCH_JPEG_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A JPEG decoder that works as an app does without downsampling: it decodes the whole picture to one RGBA bitmap, with
/// libjpeg's defaults. For comparison only. Not thread-safe.
typedef struct poster_bench_jpeg poster_bench_jpeg;

/// Returns NULL only when memory is exhausted.
poster_bench_jpeg *_Nullable poster_bench_jpeg_create(void);
void poster_bench_jpeg_destroy(poster_bench_jpeg *_Nullable reader);

/// Reads the header; non-zero on success. `bytes` is borrowed until destroy. Width and height are in pixels.
int32_t poster_bench_jpeg_open(poster_bench_jpeg *reader, const uint8_t *bytes, size_t count, uint32_t *width,
                               uint32_t *height);

/// Decodes the whole picture; non-zero on success. Ignores damage that only causes libjpeg warnings. Call once, after
/// open.
///
/// `rgba`: 8-bit R, G, B, A interleaved, A always 255, row by row from the top without padding, 4 * width * height bytes.
int32_t poster_bench_jpeg_decode(poster_bench_jpeg *reader, uint8_t *rgba);

/// libjpeg's message about the last failure. Valid until destroy.
const char *poster_bench_jpeg_message(const poster_bench_jpeg *reader);

#pragma clang assume_nonnull end

#endif
