#include "poster_png.h"

#include "poster_png_pixel.h"

enum { NONE, SUB, UP, AVERAGE, PAETH };

// Returns the value of left, above and above left that is nearest to left + above - above left; among equals the first
// in this order.
static inline uint8_t nearest(int left, int above, int corner) {
    const int low = left < above ? left : above, high = left < above ? above : left;
    // Equivalent without three absolute values: only whether the corner lies between or beyond the other two matters.
    const int threshold = 3 * corner - left - above;
    return (uint8_t)(high <= threshold ? low : low >= threshold ? high : corner);
}

static void up(uint8_t *restrict row, const uint8_t *restrict above, size_t count) {
    for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i] + above[i]);
}

int32_t poster_png_unfilter_portable(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (filter) {
        case NONE: break;
        case SUB:
            for (size_t i = step; i < count; i++) row[i] = (uint8_t)(row[i] + row[i - step]);
            break;
        case UP: up(row, above, count); break;
        case AVERAGE:
            for (size_t i = 0; i < step && i < count; i++) row[i] = (uint8_t)(row[i] + above[i] / 2);
            for (size_t i = step; i < count; i++) row[i] = (uint8_t)(row[i] + (row[i - step] + above[i]) / 2);
            break;
        case PAETH:
            for (size_t i = 0; i < step && i < count; i++) row[i] = (uint8_t)(row[i] + above[i]);
            for (size_t i = step; i < count; i++) {
                row[i] = (uint8_t)(row[i] + nearest(row[i - step], above[i], above[i - step]));
            }
            break;
        default: return 0;
    }
    return 1;
}

#if defined(POSTER_PNG_HAS_PIXELS)

#define INLINE static inline __attribute__((always_inline))

// A pixel is loaded and stored as four or eight bytes. The excess bytes belong to the next pixel, which is loaded
// before the store overwrites it, and stored after it. The last pixels, too close to the end, are copied byte by byte.
INLINE pixel load(const uint8_t *bytes, size_t step) { return step <= 4 ? pixel_load4(bytes) : pixel_load8(bytes); }

INLINE void store(uint8_t *bytes, pixel a, size_t step) {
    if (step <= 4) {
        pixel_store4(bytes, a);
    } else {
        pixel_store8(bytes, a);
    }
}

INLINE pixel load_last(const uint8_t *bytes, size_t step) {
    uint8_t all[8] = {0};
    memcpy(all, bytes, step);
    return pixel_load8(all);
}

INLINE void store_last(uint8_t *bytes, pixel a, size_t step) {
    uint8_t all[8];
    pixel_store8(all, a);
    memcpy(bytes, all, step);
}

struct state {
    /// For average the complement of the left pixel. Paeth uses the two below: the left pixel, and the corner above it.
    pixel left;
    wide_pixel wide_left, corner;
};

// Reverses the filter of one pixel; the branches are resolved at compile time.
INLINE pixel undo(uint32_t filter, struct state *state, pixel filtered, pixel above) {
    if (filter == SUB) {
        state->left = pixel_add(state->left, filtered);
        return state->left;
    }
    if (filter == AVERAGE) {
        // The complements' average, rounded up, is the complement of the average, rounded down: two steps from pixel to
        // pixel.
        state->left = pixel_sub(pixel_average(state->left, pixel_not(above)), filtered);
        return pixel_not(state->left);
    }
    // Like `nearest`, but as a sum with at most one non-zero term: five steps from pixel to pixel.
    const wide_pixel left = state->wide_left, up = pixel_widen(above), corner = state->corner;
    const wide_pixel low = wide_min(left, up), high = wide_max(left, up);
    const wide_pixel thrice = wide_add(corner, wide_add(corner, corner));
    const wide_pixel threshold = wide_sub(wide_sub(thrice, up), left);
    const wide_pixel to_low = wide_unless_greater(high, threshold, wide_sub(low, corner));
    const wide_pixel to_high = wide_unless_greater(threshold, low, wide_sub(high, corner));
    const wide_pixel sum = wide_add(wide_add(pixel_widen(filtered), corner), wide_add(to_low, to_high));
    state->wide_left = wide_low_bytes(sum);
    state->corner = up;
    return pixel_narrow(state->wide_left);
}

INLINE void undo_row(uint32_t filter, uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t step) {
    struct state state = {pixel_zero(), pixel_widen(pixel_zero()), pixel_widen(pixel_zero())};
    if (filter == AVERAGE) state.left = pixel_not(state.left);
    const size_t width = step <= 4 ? 4 : 8;
    size_t i = 0;
    if (count >= step + width) {
        pixel filtered = load(row, step);
        for (; i + step + width <= count; i += step) {
            const pixel next = load(row + i + step, step);
            store(row + i, undo(filter, &state, filtered, load(above + i, step)), step);
            filtered = next;
        }
        // The last store overwrote the beginning of this pixel, which is loaded already.
        store_last(row + i, undo(filter, &state, filtered, load_last(above + i, step)), step);
        i += step;
    }
    for (; i + step <= count; i += step) {
        const pixel filtered = load_last(row + i, step);
        store_last(row + i, undo(filter, &state, filtered, load_last(above + i, step)), step);
    }
}

INLINE void undo_rows(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    switch (step) {
        case 3: undo_row(filter, row, above, count, 3); break;
        case 4: undo_row(filter, row, above, count, 4); break;
        case 6: undo_row(filter, row, above, count, 6); break;
        default: undo_row(filter, row, above, count, 8); break;
    }
}

int32_t poster_png_unfilter(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    if (step < 3 || filter == NONE || filter == UP) {
        return poster_png_unfilter_portable(filter, row, above, count, step);
    }
    switch (filter) {
        case SUB: undo_rows(SUB, row, above, count, step); return 1;
        case AVERAGE: undo_rows(AVERAGE, row, above, count, step); return 1;
        case PAETH: undo_rows(PAETH, row, above, count, step); return 1;
        default: return 0;
    }
}

#else

int32_t poster_png_unfilter(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step) {
    return poster_png_unfilter_portable(filter, row, above, count, step);
}

#endif
