// Runs the kernels with vectors on edge cases and random input, and compares them with their definitions byte for byte.
// Prints a digest of each kernel's output, so that machines can be compared: floats have the same bits on all of them.
// Ends with 1 if a kernel differs from its definition.

#include <stdio.h>
#include <string.h>

#include "poster_likeness.h"
#include "poster_png.h"
#include "poster_resample.h"

static uint64_t state;

// SplitMix64 (Steele, Lea and Flood, 2014).
static uint32_t next(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

// Any bytes, only extremes, or a constant.
static void fill(uint8_t *bytes, size_t count, int kind) {
    for (size_t i = 0; i < count; i++) {
        bytes[i] = kind == 0 ? (uint8_t)next() : kind == 1 ? (next() & 1 ? 255 : 0) : kind == 2 ? 0 : 255;
    }
}

// FNV-1a.
static void add(uint64_t *digest, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) *digest = (*digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
}

static int failures;

static void check(const char *kernel, const void *is, const void *should, size_t count) {
    if (memcmp(is, should, count) == 0) return;
    if (failures++ < 10) printf("%s differs from its definition\n", kernel);
}

enum { most = 4096, tap_limit = 64 };

static void columns_defined(const uint8_t *const *rows, const int16_t *weights, size_t taps, int32_t shift,
                            int16_t *out, size_t width) {
    for (size_t x = 0; x < width; x++) {
        int32_t sum = (1 << shift) >> 1;
        for (size_t t = 0; t < taps; t++) sum += rows[t][x] * weights[t];
        sum >>= shift;
        out[x] = (int16_t)(sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum);
    }
}

static void row_defined(const int16_t *row, const int32_t *starts, const int16_t *weights, size_t taps, int32_t bias,
                        int32_t shift, int32_t low, int32_t high, uint8_t *out, size_t count) {
    for (size_t x = 0; x < count; x++) {
        int32_t sum = bias;
        for (size_t t = 0; t < taps; t++) sum += weights[x * taps + t] * row[starts[x] + (int32_t)t];
        sum >>= shift;
        out[x] = (uint8_t)(sum < low ? low : sum > high ? high : sum);
    }
}

static void halve_defined(const uint8_t *upper, const uint8_t *lower, uint8_t *out, size_t width) {
    for (size_t x = 0; x < width; x++) {
        out[x] = (uint8_t)((upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1] + 2) >> 2);
    }
}

// Weights such that no sum of samples below `peak` overflows.
static void fill_weights(int16_t *weights, size_t taps, int32_t peak) {
    const int32_t limit = INT32_MAX / 2 / peak / (int32_t)taps;
    const int32_t bound = limit < 32767 ? limit : 32767;
    for (size_t t = 0; t < taps; t++) weights[t] = (int16_t)((int32_t)(next() % (2 * (uint32_t)bound + 1)) - bound);
}

static uint8_t samples[tap_limit][most], bytes[2][2 * most];
static int16_t words[2 * most], sums[2][most], weights[most * tap_limit];
static int32_t starts[most];

static void check_resampling(void) {
    state = 1;
    uint64_t digest[3] = {0};
    for (int round = 0; round < 4000; round++) {
        const int kind = round % 4;
        const size_t width = 1 + next() % 300, wide = (width + 15) & ~(size_t)15, taps = 2 + 2 * (next() % 16);
        const uint8_t *rows[tap_limit];
        for (size_t t = 0; t < taps; t++) fill(samples[t], 2 * wide, kind), rows[t] = samples[t];
        fill_weights(weights, taps, 255);
        const int32_t shift = (int32_t)(next() % 21);
        poster_resample_columns(rows, weights, taps, shift, sums[0], width);
        columns_defined(rows, weights, taps, shift, sums[1], wide);
        check("columns", sums[0], sums[1], wide * sizeof *sums[0]);
        add(&digest[0], sums[0], wide * sizeof *sums[0]);

        poster_resample_halve(rows[0], rows[1], bytes[0], width);
        halve_defined(rows[0], rows[1], bytes[1], wide);
        check("halve", bytes[0], bytes[1], wide);
        add(&digest[1], bytes[0], wide);

        const size_t row_taps = 16 + 16 * (next() % 4), count = (width + 3) & ~(size_t)3;
        const int32_t peak = kind == 3 ? 32767 : 16320;
        for (size_t i = 0; i < most + tap_limit; i++) {
            const int32_t any = (int32_t)(next() % (2 * (uint32_t)peak + 1)) - peak;
            words[i] = (int16_t)(kind == 1 ? (any < 0 ? -peak : peak) : any);
        }
        for (size_t x = 0; x < count; x++) {
            starts[x] = (int32_t)(next() % most);
            fill_weights(weights + x * row_taps, row_taps, peak);
        }
        const int32_t bias = (int32_t)(next() % 40000000) - 20000000, down = 6 + (int32_t)(next() % 15);
        const int32_t low = kind & 1 ? 16 : 0, high = kind & 1 ? 235 : 255;
        poster_resample_row(words, starts, weights, row_taps, bias, down, low, high, bytes[0], count);
        row_defined(words, starts, weights, row_taps, bias, down, low, high, bytes[1], count);
        check("row", bytes[0], bytes[1], count);
        add(&digest[2], bytes[0], count);
    }
    printf("columns %016llx\nhalve %016llx\nrow %016llx\n", (unsigned long long)digest[0],
           (unsigned long long)digest[1], (unsigned long long)digest[2]);
}

static void check_png(void) {
    state = 1;
    static const size_t steps[] = {1, 2, 3, 4, 6, 8};
    uint64_t digest = 0;
    for (int round = 0; round < 24000; round++) {
        const uint32_t filter = (uint32_t)round % 5;
        const size_t step = steps[round / 5 % 6], count = step * (1 + next() % 40);
        // At the end of their memory, so that a sanitizer or a neighbour notices excess bytes.
        uint8_t *const above = samples[1] + most - count, *const row = bytes[0] + most - count;
        fill(above, count, round % 4);
        fill(row, count + 8, round / 4 % 4);
        uint8_t after[8];
        memcpy(after, row + count, sizeof after);
        memcpy(bytes[1], row, count);
        poster_png_unfilter(filter, row, above, count, step);
        poster_png_unfilter_portable(filter, bytes[1], above, count, step);
        check("unfilter", row, bytes[1], count);
        check("unfilter, beyond the row", row + count, after, sizeof after);
        add(&digest, row, count);
    }
    printf("unfilter %016llx\n", (unsigned long long)digest);
}

enum { stride = 320 + 24 };

// Linear light, or a constant.
static void fill_light(float *light, size_t count, int kind) {
    for (size_t i = 0; i < count; i++) light[i] = kind ? (float)(kind - 1) : (float)(next() & 0xffff) / 65536;
}

static void check_likeness(int32_t vectors) {
    state = 1;
    static float light[6 * stride], xyb[6 * stride], scratch[3 * stride], blurred[9][12 * stride], half[6 * stride];
    uint64_t digest[3] = {0};
    for (int round = 0; round < 300; round++) {
        const size_t width = 8 + next() % 313;
        double totals[6] = {0};
        const float *rows[9];
        for (int y = 0; y < 9; y++) {
            fill_light(light, 6 * stride, round % 6 == 4 ? 1 : round % 6 == 5 ? 2 : 0);
            for (size_t c = 0; c < 6; c++) memset(light + c * stride, 0, 8 * sizeof *light);
            poster_likeness_row(light + 8, xyb + 8, scratch + 8, blurred[y] + 8, stride, width, vectors);
            for (size_t c = 0; c < 12; c++) add(&digest[0], blurred[y] + 8 + c * stride, width * sizeof(float));
            rows[y] = blurred[y] + 8;
        }
        poster_likeness_errors(rows, xyb + 8, xyb + 3 * stride + 8, totals, stride, width, vectors);
        add(&digest[1], totals, sizeof totals);
        poster_likeness_halve(light + 8, xyb + 8, stride, half + 8, stride, width / 2, vectors);
        for (size_t c = 0; c < 6; c++) add(&digest[2], half + 8 + c * stride, width / 2 * sizeof(float));
    }
    printf("likeness %016llx %016llx %016llx\n", (unsigned long long)digest[0], (unsigned long long)digest[1],
           (unsigned long long)digest[2]);
}

int main(void) {
    if (poster_resample_vectors() == POSTER_VECTORS_NONE) {
        puts("this CPU has no vectors for the kernels");
        return 1;
    }
    check_resampling();
    check_png();
    check_likeness(0);
    if (poster_likeness_has_avx2()) check_likeness(1);
    return failures > 0;
}
