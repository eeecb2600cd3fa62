#ifndef POSTER_PNG_PIXEL_H
#define POSTER_PNG_PIXEL_H

// A pixel of up to eight bytes in a vector register, with the operations that PNG's filters need.

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)

#define POSTER_PNG_HAS_PIXELS 1

#include <emmintrin.h>

typedef __m128i pixel;
/// A pixel with 16 bits per byte.
typedef __m128i wide_pixel;

static inline pixel pixel_load4(const uint8_t *bytes) {
    int32_t four;
    memcpy(&four, bytes, sizeof four);
    return _mm_cvtsi32_si128(four);
}
static inline pixel pixel_load8(const uint8_t *bytes) { return _mm_loadl_epi64((const __m128i *)bytes); }
static inline void pixel_store4(uint8_t *bytes, pixel a) {
    const int32_t four = _mm_cvtsi128_si32(a);
    memcpy(bytes, &four, sizeof four);
}
static inline void pixel_store8(uint8_t *bytes, pixel a) { _mm_storel_epi64((__m128i *)bytes, a); }
static inline pixel pixel_zero(void) { return _mm_setzero_si128(); }
static inline pixel pixel_add(pixel a, pixel b) { return _mm_add_epi8(a, b); }
static inline pixel pixel_sub(pixel a, pixel b) { return _mm_sub_epi8(a, b); }
static inline pixel pixel_not(pixel a) { return _mm_xor_si128(a, _mm_set1_epi8(-1)); }
/// Rounds up.
static inline pixel pixel_average(pixel a, pixel b) { return _mm_avg_epu8(a, b); }

static inline wide_pixel pixel_widen(pixel a) { return _mm_unpacklo_epi8(a, _mm_setzero_si128()); }
/// Values must be in 0...255.
static inline pixel pixel_narrow(wide_pixel a) { return _mm_packus_epi16(a, a); }
static inline wide_pixel wide_add(wide_pixel a, wide_pixel b) { return _mm_add_epi16(a, b); }
static inline wide_pixel wide_sub(wide_pixel a, wide_pixel b) { return _mm_sub_epi16(a, b); }
static inline wide_pixel wide_min(wide_pixel a, wide_pixel b) { return _mm_min_epi16(a, b); }
static inline wide_pixel wide_max(wide_pixel a, wide_pixel b) { return _mm_max_epi16(a, b); }
/// `value` where not a > b, else 0.
static inline wide_pixel wide_unless_greater(wide_pixel a, wide_pixel b, wide_pixel value) {
    return _mm_andnot_si128(_mm_cmpgt_epi16(a, b), value);
}
static inline wide_pixel wide_low_bytes(wide_pixel a) { return _mm_and_si128(a, _mm_set1_epi16(255)); }

#elif defined(__ARM_NEON) && defined(__aarch64__)

#define POSTER_PNG_HAS_PIXELS 1

#include <arm_neon.h>

typedef uint8x8_t pixel;
/// A pixel with 16 bits per byte.
typedef int16x8_t wide_pixel;

static inline pixel pixel_load4(const uint8_t *bytes) {
    uint32_t four;
    memcpy(&four, bytes, sizeof four);
    return vreinterpret_u8_u32(vset_lane_u32(four, vdup_n_u32(0), 0));
}
static inline pixel pixel_load8(const uint8_t *bytes) { return vld1_u8(bytes); }
static inline void pixel_store4(uint8_t *bytes, pixel a) {
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(a), 0);
    memcpy(bytes, &four, sizeof four);
}
static inline void pixel_store8(uint8_t *bytes, pixel a) { vst1_u8(bytes, a); }
static inline pixel pixel_zero(void) { return vdup_n_u8(0); }
static inline pixel pixel_add(pixel a, pixel b) { return vadd_u8(a, b); }
static inline pixel pixel_sub(pixel a, pixel b) { return vsub_u8(a, b); }
static inline pixel pixel_not(pixel a) { return vmvn_u8(a); }
/// Rounds up.
static inline pixel pixel_average(pixel a, pixel b) { return vrhadd_u8(a, b); }

static inline wide_pixel pixel_widen(pixel a) { return vreinterpretq_s16_u16(vmovl_u8(a)); }
/// Values must be in 0...255.
static inline pixel pixel_narrow(wide_pixel a) { return vmovn_u16(vreinterpretq_u16_s16(a)); }
static inline wide_pixel wide_add(wide_pixel a, wide_pixel b) { return vaddq_s16(a, b); }
static inline wide_pixel wide_sub(wide_pixel a, wide_pixel b) { return vsubq_s16(a, b); }
static inline wide_pixel wide_min(wide_pixel a, wide_pixel b) { return vminq_s16(a, b); }
static inline wide_pixel wide_max(wide_pixel a, wide_pixel b) { return vmaxq_s16(a, b); }
/// `value` where not a > b, else 0.
static inline wide_pixel wide_unless_greater(wide_pixel a, wide_pixel b, wide_pixel value) {
    return vreinterpretq_s16_u16(vbicq_u16(vreinterpretq_u16_s16(value), vcgtq_s16(a, b)));
}
static inline wide_pixel wide_low_bytes(wide_pixel a) { return vandq_s16(a, vdupq_n_s16(255)); }

#endif

#endif
