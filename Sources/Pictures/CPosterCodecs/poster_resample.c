#include "poster_resample.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

enum poster_vectors poster_resample_vectors(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? POSTER_VECTORS_AVX2 : POSTER_VECTORS_NONE;
}

AVX2 void poster_resample_columns(const uint8_t *const *rows, const int16_t *weights, size_t taps, int32_t shift,
                                  int16_t *out, size_t width) {
    const __m256i half = _mm256_set1_epi32((1 << shift) >> 1);
    const __m128i by = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < width; x += 16) {
        __m256i low = half, high = half;
        for (size_t t = 0; t < taps; t += 2) {
            int32_t pair;
            memcpy(&pair, weights + t, sizeof pair);
            const __m256i w = _mm256_set1_epi32(pair);
            const __m128i a = _mm_loadu_si128((const __m128i *)(rows[t] + x));
            const __m128i b = _mm_loadu_si128((const __m128i *)(rows[t + 1] + x));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_unpacklo_epi8(a, b)), w));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_cvtepu8_epi16(_mm_unpackhi_epi8(a, b)), w));
        }
        const __m256i packed = _mm256_packs_epi32(_mm256_sra_epi32(low, by), _mm256_sra_epi32(high, by));
        _mm256_storeu_si256((__m256i *)(out + x), _mm256_permute4x64_epi64(packed, 0xd8));
    }
}

AVX2 static inline __m256i dot(const int16_t *row, const int16_t *weights, size_t taps) {
    __m256i sum = _mm256_setzero_si256();
    for (size_t t = 0; t < taps; t += 16) {
        const __m256i samples = _mm256_loadu_si256((const __m256i *)(row + t));
        const __m256i w = _mm256_loadu_si256((const __m256i *)(weights + t));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(samples, w));
    }
    return sum;
}

AVX2 void poster_resample_row(const int16_t *row, const int32_t *starts, const int16_t *weights, size_t taps,
                              int32_t bias, int32_t shift, int32_t low, int32_t high, uint8_t *out, size_t count) {
    const __m128i by = _mm_cvtsi32_si128(shift);
    for (size_t x = 0; x < count; x += 4, weights += 4 * taps) {
        const __m256i a = dot(row + starts[x], weights, taps);
        const __m256i b = dot(row + starts[x + 1], weights + taps, taps);
        const __m256i c = dot(row + starts[x + 2], weights + 2 * taps, taps);
        const __m256i d = dot(row + starts[x + 3], weights + 3 * taps, taps);
        const __m256i halves = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
        sums = _mm_sra_epi32(_mm_add_epi32(sums, _mm_set1_epi32(bias)), by);
        sums = _mm_min_epi32(_mm_max_epi32(sums, _mm_set1_epi32(low)), _mm_set1_epi32(high));
        const __m128i words = _mm_packus_epi32(sums, sums);
        const int32_t four = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
        memcpy(out + x, &four, sizeof four);
    }
}

AVX2 void poster_resample_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *out, size_t width) {
    const __m256i ones = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    for (size_t x = 0; x < width; x += 16) {
        const __m256i a = _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)(upper + 2 * x)), ones);
        const __m256i b = _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)(lower + 2 * x)), ones);
        const __m256i means = _mm256_srli_epi16(_mm256_add_epi16(_mm256_add_epi16(a, b), half), 2);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(means, means), 0x08);
        _mm_storeu_si128((__m128i *)(out + x), _mm256_castsi256_si128(packed));
    }
}

#elif defined(__aarch64__)

#include <arm_neon.h>
#include <string.h>

// Every arm64 CPU has NEON.
enum poster_vectors poster_resample_vectors(void) { return POSTER_VECTORS_NEON; }

void poster_resample_columns(const uint8_t *const *rows, const int16_t *weights, size_t taps, int32_t shift,
                             int16_t *out, size_t width) {
    const int32x4_t half = vdupq_n_s32((1 << shift) >> 1), by = vdupq_n_s32(-shift);
    for (size_t x = 0; x < width; x += 16) {
        int32x4_t a = half, b = half, c = half, d = half;
        for (size_t t = 0; t < taps; t++) {
            const uint8x16_t bytes = vld1q_u8(rows[t] + x);
            const int16x8_t w = vdupq_n_s16(weights[t]);
            const int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes)));
            const int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(bytes));
            a = vmlal_s16(a, vget_low_s16(low), vget_low_s16(w));
            b = vmlal_high_s16(b, low, w);
            c = vmlal_s16(c, vget_low_s16(high), vget_low_s16(w));
            d = vmlal_high_s16(d, high, w);
        }
        // A shift to the left by a negative number.
        vst1q_s16(out + x, vqmovn_high_s32(vqmovn_s32(vshlq_s32(a, by)), vshlq_s32(b, by)));
        vst1q_s16(out + x + 8, vqmovn_high_s32(vqmovn_s32(vshlq_s32(c, by)), vshlq_s32(d, by)));
    }
}

static inline int32x4_t dot(const int16_t *row, const int16_t *weights, size_t taps) {
    int32x4_t sum = vdupq_n_s32(0), other = sum;
    for (size_t t = 0; t < taps; t += 16) {
        const int16x8_t a = vld1q_s16(row + t), b = vld1q_s16(row + t + 8);
        const int16x8_t v = vld1q_s16(weights + t), w = vld1q_s16(weights + t + 8);
        sum = vmlal_s16(sum, vget_low_s16(a), vget_low_s16(v));
        other = vmlal_high_s16(other, a, v);
        sum = vmlal_s16(sum, vget_low_s16(b), vget_low_s16(w));
        other = vmlal_high_s16(other, b, w);
    }
    return vaddq_s32(sum, other);
}

void poster_resample_row(const int16_t *row, const int32_t *starts, const int16_t *weights, size_t taps, int32_t bias,
                         int32_t shift, int32_t low, int32_t high, uint8_t *out, size_t count) {
    const int32x4_t by = vdupq_n_s32(-shift);
    for (size_t x = 0; x < count; x += 4, weights += 4 * taps) {
        const int32x4_t a = dot(row + starts[x], weights, taps);
        const int32x4_t b = dot(row + starts[x + 1], weights + taps, taps);
        const int32x4_t c = dot(row + starts[x + 2], weights + 2 * taps, taps);
        const int32x4_t d = dot(row + starts[x + 3], weights + 3 * taps, taps);
        int32x4_t sums = vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
        sums = vshlq_s32(vaddq_s32(sums, vdupq_n_s32(bias)), by);
        sums = vminq_s32(vmaxq_s32(sums, vdupq_n_s32(low)), vdupq_n_s32(high));
        const uint16x4_t words = vqmovun_s32(sums);
        const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(vqmovn_u16(vcombine_u16(words, words))), 0);
        memcpy(out + x, &four, sizeof four);
    }
}

void poster_resample_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *out, size_t width) {
    for (size_t x = 0; x < width; x += 16) {
        const uint16x8_t a = vpadalq_u8(vpaddlq_u8(vld1q_u8(upper + 2 * x)), vld1q_u8(lower + 2 * x));
        const uint16x8_t b = vpadalq_u8(vpaddlq_u8(vld1q_u8(upper + 2 * x + 16)), vld1q_u8(lower + 2 * x + 16));
        vst1q_u8(out + x, vrshrn_high_n_u16(vrshrn_n_u16(a, 2), b, 2));
    }
}

#else

enum poster_vectors poster_resample_vectors(void) { return POSTER_VECTORS_NONE; }

// Defined so that every platform links.
void poster_resample_columns(const uint8_t *const *rows, const int16_t *weights, size_t taps, int32_t shift,
                             int16_t *out, size_t width) {
    (void)rows, (void)weights, (void)taps, (void)shift, (void)out, (void)width;
    __builtin_trap();
}

void poster_resample_row(const int16_t *row, const int32_t *starts, const int16_t *weights, size_t taps, int32_t bias,
                         int32_t shift, int32_t low, int32_t high, uint8_t *out, size_t count) {
    (void)row, (void)starts, (void)weights, (void)taps, (void)bias, (void)shift, (void)low, (void)high, (void)out;
    (void)count;
    __builtin_trap();
}

void poster_resample_halve(const uint8_t *upper, const uint8_t *lower, uint8_t *out, size_t width) {
    (void)upper, (void)lower, (void)out, (void)width;
    __builtin_trap();
}

#endif
