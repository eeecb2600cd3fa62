#include "poster_likeness.h"

// Fused operations would give other bits on CPUs that have them.
#pragma STDC FP_CONTRACT OFF

typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t bits __attribute__((vector_size(32), aligned(4), may_alias));

#define LANES 8
#define INLINE static inline __attribute__((always_inline))
#define AT(row, x) (*(const lanes *)((row) + (x)))
#define SET(row, x) (*(lanes *)((row) + (x)))
#define MASKED(value, mask) ((lanes)((bits)(value) & (mask)))

/// All ones in the lanes below `width`.
#define MASK(x, width) (((bits){0, 1, 2, 3, 4, 5, 6, 7} + (int32_t)(x)) < (int32_t)(width))

// The weights of a Gaussian of sigma 1.5 from the middle outwards: the sum of three cosines of Charalampidis,
// "Recursive Implementation of the Gaussian Filter Using Truncated Cosine Functions" (2016), table I, with N = 5.
static const float weight0 = 0.264621108f, weight1 = 0.212928593f, weight2 = 0.109335363f, weight3 = 0.0360111102f,
                   weight4 = 0.00941437017f;

/// The cube root for 0.003 to 1.1, with a relative error below 3e-7.
#define CUBE_ROOT(result, value)                                                                                       \
    do {                                                                                                               \
        const lanes v = (value);                                                                                       \
        /* First a value of the inverse with an error of 3.5 %, then a step of fourth and one of third order. */       \
        const bits third = __builtin_convertvector(__builtin_convertvector((bits)v, lanes) * (1.0f / 3), bits);        \
        lanes r = (lanes)(0x54a23200 - third);                                                                         \
        lanes h = 1 - v * (r * r * r);                                                                                 \
        r = r + r * (h * (1.0f / 3 + h * (2.0f / 9 + h * (14.0f / 81))));                                              \
        h = 1 - v * (r * r * r);                                                                                       \
        r = r + r * (h * (1.0f / 3 + h * (2.0f / 9)));                                                                 \
        (result) = v * (r * r);                                                                                        \
    } while (0)

INLINE void convert(const float *light, float *xyb, size_t stride, size_t width) {
    for (size_t x = 0; x < width; x += LANES) {
        const lanes red = AT(light, x), green = AT(light + stride, x), blue = AT(light + 2 * stride, x);
        lanes l, m, s;
        const float bias = 0.0037930732552754493f;
        CUBE_ROOT(l, 0.3f * red + 0.622f * green + 0.078f * blue + bias);
        CUBE_ROOT(m, 0.23f * red + 0.692f * green + 0.078f * blue + bias);
        CUBE_ROOT(s, 0.24342268924547819f * red + 0.20476744424496821f * green + 0.5518098665095536f * blue + bias);
        const bits mask = MASK(x, width);
        const lanes mean = 0.5f * (l + m);
        SET(xyb, x) = MASKED(7 * (l - m) + 0.42f, mask);
        // 0.01 minus the cube root of the bias.
        SET(xyb + stride, x) = MASKED(mean + (0.01f - 0.15595420054924858f), mask);
        SET(xyb + 2 * stride, x) = MASKED(s - mean + 0.55f, mask);
    }
    const size_t end = (width + LANES - 1) / LANES * LANES;
    for (size_t c = 0; c < 3; c++) SET(xyb + c * stride, end) = (lanes){0};
}

INLINE void blur_row(const float *row, float *out, size_t width) {
    for (size_t x = 0; x < width; x += LANES) {
        const float *p = row + x;
        SET(out, x) = weight0 * AT(p, 0) + weight1 * (AT(p, -1) + AT(p, 1)) + weight2 * (AT(p, -2) + AT(p, 2)) +
                      weight3 * (AT(p, -3) + AT(p, 3)) + weight4 * (AT(p, -4) + AT(p, 4));
    }
}

INLINE void row_body(const float *light, float *xyb, float *scratch, float *blurred, size_t stride, size_t width) {
    convert(light, xyb, stride, width);
    convert(light + 3 * stride, xyb + 3 * stride, stride, width);
    float *const difference = scratch, *const square = scratch + stride, *const squares = scratch + 2 * stride;
    for (size_t c = 0; c < 3; c++) {
        const float *const a = xyb + c * stride, *const b = xyb + (3 + c) * stride;
        for (size_t x = 0; x < width + LANES; x += LANES) {
            const lanes one = AT(a, x), other = AT(b, x), d = one - other;
            SET(difference, x) = d;
            SET(square, x) = d * d;
            SET(squares, x) = one * one + other * other;
        }
        float *const out = blurred + 4 * c * stride;
        blur_row(a, out, width);
        blur_row(difference, out + stride, width);
        blur_row(square, out + 2 * stride, width);
        blur_row(squares, out + 3 * stride, width);
    }
}

#define BLUR_COLUMN(offset)                                                                                            \
    (weight0 * AT(rows[4] + (offset), x) + weight1 * (AT(rows[3] + (offset), x) + AT(rows[5] + (offset), x)) +         \
     weight2 * (AT(rows[2] + (offset), x) + AT(rows[6] + (offset), x)) +                                               \
     weight3 * (AT(rows[1] + (offset), x) + AT(rows[7] + (offset), x)) +                                               \
     weight4 * (AT(rows[0] + (offset), x) + AT(rows[8] + (offset), x)))

INLINE void errors_body(const float *const *rows, const float *original, const float *copy, double *sums,
                        size_t stride, size_t width) {
    lanes totals[6] = {{0}};
    const lanes zero = {0};
    for (size_t x = 0; x < width; x += LANES) {
        const lanes mean = BLUR_COLUMN(0), shift = BLUR_COLUMN(stride), square = BLUR_COLUMN(2 * stride),
                    squares = BLUR_COLUMN(3 * stride);
        const lanes other = mean - shift, shift2 = shift * shift;
        // SSIM's structure term is 1 - spread / below, with the variance of the difference as the spread. Written so,
        // equal pictures have no error, and large values do not cancel out.
        const lanes spread = square - shift2;
        const lanes below = squares - mean * mean - other * other + 0.0009f;
        const bits mask = MASK(x, width);
        const lanes error = (spread + shift2 * (below - spread)) / below;
        const lanes structure = MASKED(__builtin_elementwise_max(error, zero), mask);
        const lanes edge = __builtin_elementwise_abs(AT(original, x) - mean);
        const lanes ratio = MASKED((__builtin_elementwise_abs(AT(copy, x) - other) - edge) / (1 + edge), mask);
        const lanes added = __builtin_elementwise_max(ratio, zero), lost = __builtin_elementwise_max(-ratio, zero);
        const lanes structure2 = structure * structure, added2 = added * added, lost2 = lost * lost;
        totals[0] += structure;
        totals[1] += structure2 * structure2;
        totals[2] += added;
        totals[3] += added2 * added2;
        totals[4] += lost;
        totals[5] += lost2 * lost2;
    }
    for (size_t i = 0; i < 6; i++) {
        double sum = 0;
        for (size_t lane = 0; lane < LANES; lane++) sum += (double)totals[i][lane];
        sums[i] += sum;
    }
}

INLINE void halve_body(const float *upper, const float *lower, size_t stride, float *out, size_t out_stride,
                       size_t width) {
    for (size_t row = 0; row < 6; row++, upper += stride, lower += stride, out += out_stride) {
        for (size_t x = 0; x < width; x += LANES) {
            const lanes low = AT(upper, 2 * x) + AT(lower, 2 * x);
            const lanes high = AT(upper, 2 * x + LANES) + AT(lower, 2 * x + LANES);
            const lanes even = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
            const lanes odd = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
            SET(out, x) = 0.25f * (even + odd);
        }
    }
}

#if defined(__x86_64__)

int32_t poster_likeness_has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}

#define AVX2 __attribute__((target("avx2")))

AVX2 static void row_avx2(const float *light, float *xyb, float *scratch, float *blurred, size_t stride,
                          size_t width) {
    row_body(light, xyb, scratch, blurred, stride, width);
}

AVX2 static void errors_avx2(const float *const *rows, const float *original, const float *copy, double *sums,
                             size_t stride, size_t width) {
    errors_body(rows, original, copy, sums, stride, width);
}

AVX2 static void halve_avx2(const float *upper, const float *lower, size_t stride, float *out, size_t out_stride,
                            size_t width) {
    halve_body(upper, lower, stride, out, out_stride, width);
}

#else

int32_t poster_likeness_has_avx2(void) { return 0; }

#define row_avx2 row_body
#define errors_avx2 errors_body
#define halve_avx2 halve_body

#endif

void poster_likeness_row(const float *light, float *xyb, float *scratch, float *blurred, size_t stride, size_t width,
                         int32_t avx2) {
    if (avx2) return row_avx2(light, xyb, scratch, blurred, stride, width);
    row_body(light, xyb, scratch, blurred, stride, width);
}

void poster_likeness_errors(const float *const *blurred, const float *original, const float *copy, double *sums,
                            size_t stride, size_t width, int32_t avx2) {
    if (avx2) return errors_avx2(blurred, original, copy, sums, stride, width);
    errors_body(blurred, original, copy, sums, stride, width);
}

void poster_likeness_halve(const float *upper, const float *lower, size_t stride, float *out, size_t outStride,
                           size_t width, int32_t avx2) {
    if (avx2) return halve_avx2(upper, lower, stride, out, outStride, width);
    halve_body(upper, lower, stride, out, outStride, width);
}
