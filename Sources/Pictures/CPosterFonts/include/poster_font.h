#ifndef POSTER_FONT_H
#define POSTER_FONT_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define POSTER_FONT_SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// The outcome of a call. No call ever unwinds past its own frame.
enum poster_font_status {
    POSTER_FONT_OK POSTER_FONT_SWIFT_NAME(ok) = 0,
    /// The bytes are no font with outlines, or a damaged one.
    POSTER_FONT_INVALID POSTER_FONT_SWIFT_NAME(invalid),
    POSTER_FONT_OUT_OF_MEMORY POSTER_FONT_SWIFT_NAME(outOfMemory),
    /// Called with values out of range.
    POSTER_FONT_MISUSE POSTER_FONT_SWIFT_NAME(misuse),
} __attribute__((enum_extensibility(closed)));

enum {
    /// Maximum length of a text, in Unicode scalars.
    POSTER_FONT_MAX_SCALARS = 256,
    /// Maximum size of an em, in pixels.
    POSTER_FONT_MAX_EM = 256,
    /// Maximum side of a glyph's bitmap, in pixels; larger glyphs are empty.
    POSTER_FONT_MAX_SIDE = 1024,
};

/// A font of a file in memory, for one thread at a time.
typedef struct poster_font poster_font;

/// Opens a font, the first one of a collection. `bytes` are borrowed until it is destroyed.
enum poster_font_status poster_font_create(const uint8_t *bytes, size_t count, poster_font *_Nullable *_Nonnull font);

void poster_font_destroy(poster_font *_Nullable font);

/// Whether the font has a glyph for a Unicode scalar.
int32_t poster_font_has(poster_font *font, uint32_t scalar);

/// A glyph and its place; lengths are in 64ths of a pixel, to the right and upwards.
typedef struct {
    uint32_t glyph;
    int32_t advance;
    int32_t x, y;
} poster_font_glyph;

/// Shapes a part of a text in one direction; the rest of the text is context.
/// - Parameters:
///   - em: The size of an em, in 64ths of a pixel.
///   - glyphs: Receives at most `capacity` glyphs from left to right; more are left out.
enum poster_font_status poster_font_shape(
    poster_font *font, const uint32_t *text, size_t text_count, size_t first, size_t count, int32_t is_right_to_left,
    uint32_t em, poster_font_glyph *glyphs, size_t capacity, size_t *glyph_count);

/// The coverage of a glyph, in memory of the font that is valid until the next call.
typedef struct {
    /// `width` bytes a row; NULL if the glyph is empty.
    const uint8_t *_Nullable coverage;
    uint32_t width, height;
    /// Bytes from one row to the next.
    uint32_t stride;
    /// From the origin to the left edge and up to the top edge, in pixels.
    int32_t left, top;
} poster_font_bitmap;

/// Draws a glyph, hinted in vertical direction.
/// - Parameters:
///   - em: The size of an em, in 64ths of a pixel.
///   - shift: Moves the outline to the right, in 64ths of a pixel, 0...63.
enum poster_font_status poster_font_draw(
    poster_font *font, uint32_t glyph, uint32_t em, uint32_t shift, poster_font_bitmap *bitmap);

/// The font that is part of the program, and its number of bytes.
const uint8_t *poster_font_bundled(size_t *count);

/// The libraries' versions: three numbers each.
void poster_font_versions(int32_t freetype[_Nonnull 3], int32_t harfbuzz[_Nonnull 3]);

#pragma clang assume_nonnull end

#endif
