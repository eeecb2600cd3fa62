#include "poster_resample.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

int32_t poster_resample_has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}

__attribute__((target("avx2"))) void poster_resample_columns_avx2(const uint8_t *const *rows, const int16_t *weights,
                                                                  size_t taps, int32_t shift, int16_t *out,
                                                                  size_t width) {
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

__attribute__((target("avx2"))) static inline __m256i dot(const int16_t *row, const int16_t *weights, size_t taps) {
    __m256i sum = _mm256_setzero_si256();
    for (size_t t = 0; t < taps; t += 16) {
        const __m256i samples = _mm256_loadu_si256((const __m256i *)(row + t));
        const __m256i w = _mm256_loadu_si256((const __m256i *)(weights + t));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(samples, w));
    }
    return sum;
}

__attribute__((target("avx2"))) void poster_resample_row_avx2(const int16_t *row, const int32_t *starts,
                                                              const int16_t *weights, size_t taps, int32_t bias,
                                                              int32_t shift, int32_t low, int32_t high, uint8_t *out,
                                                              size_t count) {
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

__attribute__((target("avx2"))) void poster_resample_halve_avx2(const uint8_t *upper, const uint8_t *lower,
                                                                uint8_t *out, size_t width) {
    const __m256i ones = _mm256_set1_epi8(1), half = _mm256_set1_epi16(2);
    for (size_t x = 0; x < width; x += 16) {
        const __m256i a = _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)(upper + 2 * x)), ones);
        const __m256i b = _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)(lower + 2 * x)), ones);
        const __m256i means = _mm256_srli_epi16(_mm256_add_epi16(_mm256_add_epi16(a, b), half), 2);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(means, means), 0x08);
        _mm_storeu_si128((__m128i *)(out + x), _mm256_castsi256_si128(packed));
    }
}

#else

int32_t poster_resample_has_avx2(void) { return 0; }

// Never called if poster_resample_has_avx2 returns 0; defined so that every platform links.
void poster_resample_columns_avx2(const uint8_t *const *rows, const int16_t *weights, size_t taps, int32_t shift,
                                  int16_t *out, size_t width) {
    (void)rows, (void)weights, (void)taps, (void)shift, (void)out, (void)width;
    __builtin_trap();
}

void poster_resample_row_avx2(const int16_t *row, const int32_t *starts, const int16_t *weights, size_t taps,
                              int32_t bias, int32_t shift, int32_t low, int32_t high, uint8_t *out, size_t count) {
    (void)row, (void)starts, (void)weights, (void)taps, (void)bias, (void)shift, (void)low, (void)high, (void)out;
    (void)count;
    __builtin_trap();
}

void poster_resample_halve_avx2(const uint8_t *upper, const uint8_t *lower, uint8_t *out, size_t width) {
    (void)upper, (void)lower, (void)out, (void)width;
    __builtin_trap();
}

#endif
