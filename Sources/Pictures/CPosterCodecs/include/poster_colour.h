#ifndef POSTER_COLOUR_H
#define POSTER_COLOUR_H

#include <stddef.h>
#include <stdint.h>

#include "poster_status.h"

#pragma clang assume_nonnull begin

/// The format of the input pixels: one, three or four bytes each.
enum poster_colour_input {
    POSTER_COLOUR_GRAY POSTER_SWIFT_NAME(gray) = 0,
    POSTER_COLOUR_RGB POSTER_SWIFT_NAME(rgb),
    /// 255 is no ink.
    POSTER_COLOUR_CMYK POSTER_SWIFT_NAME(cmyk),
} __attribute__((enum_extensibility(closed)));

/// A conversion to sRGB: relative colorimetric, with black point compensation. Safe to use from several threads at
/// once.
typedef struct poster_colour_transform poster_colour_transform;

/// Returns NULL for a malformed profile, and for a profile of another pixel format.
poster_colour_transform *_Nullable poster_colour_transform_create(const uint8_t *profile, size_t count,
                                                                  enum poster_colour_input input);

/// Creates a conversion from RGB with the given CIE xy of white, red, green and blue, and sRGB's transfer curve.
/// Returns NULL if they are no valid primaries.
poster_colour_transform *_Nullable poster_colour_transform_create_from_chromaticities(const double *white_red_green_blue);

void poster_colour_transform_destroy(poster_colour_transform *_Nullable transform);

/// Writes three bytes of sRGB per pixel.
void poster_colour_transform_apply(const poster_colour_transform *transform, const uint8_t *pixels, uint8_t *rgb,
                                   size_t count);

/// The library's version: 2140 is 2.14.
int32_t poster_colour_version(void);

#pragma clang assume_nonnull end

#endif
