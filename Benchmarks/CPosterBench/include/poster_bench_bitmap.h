#ifndef POSTER_BENCH_BITMAP_H
#define POSTER_BENCH_BITMAP_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Whole pictures of PNG and WebP as an app decodes them without downsampling. `rgba` is as of `poster_bench_jpeg_decode`;
/// with NULL there, only width and height in pixels are read. Non-zero on success.
int32_t poster_bench_png_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                                uint8_t *_Nullable rgba);
int32_t poster_bench_webp_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                                 uint8_t *_Nullable rgba);

/// Writers of the originals that are measured: opaque pictures of `rgba`, into a new file. Non-zero on success.
int32_t poster_bench_write_jpeg(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                                int32_t quality, int32_t is_progressive);
int32_t poster_bench_write_png(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                               int32_t is_interlaced);
int32_t poster_bench_write_webp(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                                int32_t quality, int32_t is_lossless);

#pragma clang assume_nonnull end

#endif
