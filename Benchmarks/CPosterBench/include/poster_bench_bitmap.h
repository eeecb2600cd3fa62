#ifndef POSTER_BENCH_BITMAP_H
#define POSTER_BENCH_BITMAP_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Decode whole PNG and WebP pictures as an app does without downsampling. `rgba` is laid out as in
/// `poster_bench_jpeg_decode`; if it is NULL, only width and height in pixels are read. Non-zero on success.
int32_t poster_bench_png_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                                uint8_t *_Nullable rgba);
int32_t poster_bench_webp_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                                 uint8_t *_Nullable rgba);

/// Write originals for measurements: opaque pictures from `rgba`, into a new file. Non-zero on success.
int32_t poster_bench_write_jpeg(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                                int32_t quality, int32_t is_progressive);
int32_t poster_bench_write_png(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                               int32_t is_interlaced);
int32_t poster_bench_write_webp(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                                int32_t quality, int32_t is_lossless);

#pragma clang assume_nonnull end

#endif
