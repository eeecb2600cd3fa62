#ifndef POSTER_PNG_ROWS_H
#define POSTER_PNG_ROWS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Undoes a PNG's filter in place (third edition, 9.2): the hot loop of its decoder. C, because three of the four
/// filters go from pixel to pixel, which is fast only with loads and stores that overlap.
///
/// `filter` is 0 none, 1 sub, 2 up, 3 average, 4 Paeth. `above` is the row before, already unfiltered, or zeros; it
/// does not overlap `row`. Both have `count` bytes, a multiple of `step`: the bytes from a sample to the same one of
/// the next pixel, 1, 2, 3, 4, 6 or 8. Nothing beyond them is touched.
///
/// Returns 0 when there is no such filter, and leaves the row alone.
int32_t poster_png_unfilter(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step);

/// The same bytes on any CPU; for tests, and where there is nothing better.
int32_t poster_png_unfilter_portable(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step);

#pragma clang assume_nonnull end

#endif
