#ifndef POSTER_RESAMPLE_H
#define POSTER_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The inner loops of the resampler with vectors: AVX2 on x86-64, if the CPU has it, and NEON on arm64. They use
/// integers, so they give exactly the pixels of the portable Swift kernels. In C, because Swift cannot compile single
/// functions for another CPU.

enum poster_vectors { POSTER_VECTORS_NONE, POSTER_VECTORS_AVX2, POSTER_VECTORS_NEON };

/// The vectors of the functions below on this CPU. They must not be called if there are none.
enum poster_vectors poster_resample_vectors(void);

/// out[x] = saturate16((sum over t of weights[t] * rows[t][x] + 2^(shift-1)) >> shift)
///
/// `taps` is even. `width` is rounded up to a multiple of 16, which rows and `out` must have room for.
void poster_resample_columns(const uint8_t *_Nonnull const *_Nonnull rows, const int16_t *weights, size_t taps,
                             int32_t shift, int16_t *out, size_t width);

/// out[x] = clamp((sum over t of weights[x * taps + t] * row[starts[x] + t] + bias) >> shift, low, high)
///
/// `taps` is a multiple of 16, and `count` of 4; `row` must be readable up to starts[x] + taps.
void poster_resample_row(const int16_t *row, const int32_t *starts, const int16_t *weights, size_t taps, int32_t bias,
                         int32_t shift, int32_t low, int32_t high, uint8_t *out, size_t count);

/// out[x] = (upper[2x] + upper[2x + 1] + lower[2x] + lower[2x + 1] + 2) >> 2
///
/// `width` counts outputs and is rounded up to a multiple of 16, which `out` must have room for; the rows are twice as
/// wide.
void poster_resample_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *out, size_t width);

#pragma clang assume_nonnull end

#endif
