#ifndef POSTER_LIKENESS_H
#define POSTER_LIKENESS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The inner loops of SSIMULACRA 2.1 (Sneyers, Cloudinary, 2022 and 2023). In C, because Swift cannot compile single
/// functions for another CPU. With and without AVX2 they give the same bits: they have the same operations, without
/// fused ones, and sums have eight lanes.
///
/// A row is readable and writable from 8 floats before its first to 16 after its width rounded up to a multiple of 16;
/// the floats before the first one are zero. Rows of a set are `stride` floats apart.

/// Non-zero if this build has the AVX2 kernels and the CPU supports them.
int32_t poster_likeness_has_avx2(void);

/// Converts a row of both pictures and blurs it along the row.
///
/// - light: Six rows of linear light, 0 to 1: red, green, blue of the original, then of the copy.
/// - xyb: Six rows of the result: X, Y and B - Y, scaled to positive values, of the original, then of the copy; zero
///   beyond the width.
/// - scratch: Three rows.
/// - blurred: Twelve rows: for each channel the original, its difference from the copy, the square of that, and the sum
///   of both squares.
void poster_likeness_row(const float *light, float *xyb, float *scratch, float *blurred, size_t stride, size_t width,
                         int32_t avx2);

/// Blurs one channel along the columns and adds the errors of a row to six sums: the error of structure, its fourth
/// power, added edges, their fourth power, lost edges, their fourth power.
///
/// - blurred: Nine rows, the fifth is the current one: the first of the channel's four rows each.
/// - original, copy: The channel's rows before blurring.
void poster_likeness_errors(const float *_Nonnull const *_Nonnull blurred, const float *original, const float *copy,
                            double *sums, size_t stride, size_t width, int32_t avx2);

/// Halves two sets of six rows: each result is the mean of four. `width` counts results; the rows have twice as many.
void poster_likeness_halve(const float *upper, const float *lower, size_t stride, float *out, size_t outStride,
                           size_t width, int32_t avx2);

#pragma clang assume_nonnull end

#endif
