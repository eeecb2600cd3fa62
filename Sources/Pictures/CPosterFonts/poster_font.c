#include "poster_font.h"

#include <ft2build.h>
#include <hb-ot.h>
#include <hb.h>
#include <stdlib.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

struct poster_font {
    FT_Library library;
    FT_Face face;
    hb_face_t *shapes;
    hb_font_t *shaper;
    hb_buffer_t *buffer;
    /// The em that `face` has now, in 64ths of a pixel.
    uint32_t em;
};

static enum poster_font_status status_of(FT_Error error) {
    if (!error) return POSTER_FONT_OK;
    return error == FT_Err_Out_Of_Memory ? POSTER_FONT_OUT_OF_MEMORY : POSTER_FONT_INVALID;
}

static enum poster_font_status open_outlines(poster_font *font, const uint8_t *bytes, size_t count) {
    FT_Error error = FT_Init_FreeType(&font->library);
    if (!error) error = FT_New_Memory_Face(font->library, bytes, (FT_Long)count, 0, &font->face);
    if (error) return status_of(error);
    return FT_IS_SCALABLE(font->face) && font->face->num_glyphs > 0 ? POSTER_FONT_OK : POSTER_FONT_INVALID;
}

static enum poster_font_status open_shapes(poster_font *font, const uint8_t *bytes, size_t count) {
    // HarfBuzz returns an empty object, which is valid everywhere, when it has no memory.
    hb_blob_t *blob = hb_blob_create((const char *)bytes, (unsigned)count, HB_MEMORY_MODE_READONLY, NULL, NULL);
    font->shapes = hb_face_create(blob, 0);
    hb_blob_destroy(blob);
    font->shaper = hb_font_create(font->shapes);
    font->buffer = hb_buffer_create();
    if (font->shapes == hb_face_get_empty() || font->shaper == hb_font_get_empty() ||
        !hb_buffer_allocation_successful(font->buffer)) {
        return POSTER_FONT_OUT_OF_MEMORY;
    }
    hb_ot_font_set_funcs(font->shaper);
    return hb_face_get_glyph_count(font->shapes) > 0 ? POSTER_FONT_OK : POSTER_FONT_INVALID;
}

enum poster_font_status poster_font_create(const uint8_t *bytes, size_t count, poster_font **result) {
    *result = NULL;
    if (count == 0) return POSTER_FONT_INVALID;
    if (count > INT32_MAX) return POSTER_FONT_MISUSE;
    poster_font *font = calloc(1, sizeof *font);
    if (!font) return POSTER_FONT_OUT_OF_MEMORY;
    enum poster_font_status status = open_outlines(font, bytes, count);
    if (status == POSTER_FONT_OK) status = open_shapes(font, bytes, count);
    if (status == POSTER_FONT_OK) {
        *result = font;
    } else {
        poster_font_destroy(font);
    }
    return status;
}

void poster_font_destroy(poster_font *font) {
    if (!font) return;
    hb_buffer_destroy(font->buffer);
    hb_font_destroy(font->shaper);
    hb_face_destroy(font->shapes);
    if (font->face) FT_Done_Face(font->face);
    if (font->library) FT_Done_FreeType(font->library);
    free(font);
}

int32_t poster_font_has(poster_font *font, uint32_t scalar) {
    hb_codepoint_t glyph = 0;
    return hb_font_get_nominal_glyph(font->shaper, scalar, &glyph) && glyph != 0;
}

enum poster_font_status poster_font_shape(
    poster_font *font, const uint32_t *text, size_t text_count, size_t first, size_t count, int32_t is_right_to_left,
    uint32_t em, poster_font_glyph *glyphs, size_t capacity, size_t *glyph_count) {
    *glyph_count = 0;
    if (text_count > POSTER_FONT_MAX_SCALARS || first > text_count || count > text_count - first ||
        em == 0 || em > POSTER_FONT_MAX_EM * 64) {
        return POSTER_FONT_MISUSE;
    }
    hb_font_set_scale(font->shaper, (int)em, (int)em);
    hb_buffer_t *buffer = font->buffer;
    hb_buffer_clear_contents(buffer);
    hb_buffer_add_utf32(buffer, text, (int)text_count, (unsigned)first, (int)count);
    hb_buffer_set_direction(buffer, is_right_to_left ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    // The same on every machine; otherwise it is the locale's.
    hb_buffer_set_language(buffer, hb_language_from_string("und", -1));
    hb_buffer_set_flags(buffer, HB_BUFFER_FLAG_REMOVE_DEFAULT_IGNORABLES);
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(font->shaper, buffer, NULL, 0);
    if (!hb_buffer_allocation_successful(buffer)) {
        hb_buffer_reset(buffer);
        return POSTER_FONT_OUT_OF_MEMORY;
    }
    unsigned length = 0;
    const hb_glyph_info_t *infos = hb_buffer_get_glyph_infos(buffer, &length);
    const hb_glyph_position_t *places = hb_buffer_get_glyph_positions(buffer, NULL);
    if (length > capacity) length = (unsigned)capacity;
    for (unsigned index = 0; index < length; index += 1) {
        glyphs[index] = (poster_font_glyph){
            .glyph = infos[index].codepoint,
            .advance = places[index].x_advance,
            .x = places[index].x_offset,
            .y = places[index].y_offset};
    }
    *glyph_count = length;
    return POSTER_FONT_OK;
}

/// Loads and renders a glyph into the face's slot.
static FT_Error render(poster_font *font, uint32_t glyph, uint32_t em, uint32_t shift) {
    if (font->em != em) {
        const FT_Error error = FT_Set_Char_Size(font->face, 0, em, 72, 72);
        font->em = error ? 0 : em;
        if (error) return error;
    }
    // The outline's heights are moved to whole pixels, its widths are not.
    const FT_Int32 flags = FT_LOAD_NO_BITMAP | FT_LOAD_TARGET_LIGHT | FT_LOAD_FORCE_AUTOHINT;
    FT_Error error = FT_Load_Glyph(font->face, glyph, flags);
    // A glyph that cannot be hinted can often be drawn.
    if (error && error != FT_Err_Out_Of_Memory) {
        error = FT_Load_Glyph(font->face, glyph, FT_LOAD_NO_BITMAP | FT_LOAD_NO_HINTING);
    }
    if (error) return error;
    const FT_GlyphSlot slot = font->face->glyph;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE) return FT_Err_Invalid_Glyph_Format;
    FT_BBox box;
    FT_Outline_Get_CBox(&slot->outline, &box);
    const FT_Pos limit = POSTER_FONT_MAX_SIDE * 64;
    if (box.xMin < -limit || box.yMin < -limit || box.xMax > limit || box.yMax > limit) {
        return FT_Err_Raster_Overflow;
    }
    FT_Outline_Translate(&slot->outline, (FT_Pos)shift, 0);
    return FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL);
}

enum poster_font_status poster_font_draw(
    poster_font *font, uint32_t glyph, uint32_t em, uint32_t shift, poster_font_bitmap *bitmap) {
    *bitmap = (poster_font_bitmap){0};
    if (em == 0 || em > POSTER_FONT_MAX_EM * 64 || shift > 63) return POSTER_FONT_MISUSE;
    const FT_Error error = render(font, glyph, em, shift);
    if (error == FT_Err_Out_Of_Memory) return POSTER_FONT_OUT_OF_MEMORY;
    // A damaged glyph is empty.
    if (error) return POSTER_FONT_OK;
    const FT_GlyphSlot slot = font->face->glyph;
    const FT_Bitmap *drawn = &slot->bitmap;
    if (!drawn->buffer || drawn->pixel_mode != FT_PIXEL_MODE_GRAY || drawn->pitch < 0 ||
        drawn->width > POSTER_FONT_MAX_SIDE || drawn->rows > POSTER_FONT_MAX_SIDE) {
        return POSTER_FONT_OK;
    }
    *bitmap = (poster_font_bitmap){
        .coverage = drawn->buffer,
        .width = drawn->width,
        .height = drawn->rows,
        .stride = (uint32_t)drawn->pitch,
        .left = slot->bitmap_left,
        .top = slot->bitmap_top};
    return POSTER_FONT_OK;
}

void poster_font_versions(int32_t freetype[3], int32_t harfbuzz[3]) {
    FT_Library library;
    FT_Int major = 0, minor = 0, patch = 0;
    if (!FT_Init_FreeType(&library)) {
        FT_Library_Version(library, &major, &minor, &patch);
        FT_Done_FreeType(library);
    }
    freetype[0] = major, freetype[1] = minor, freetype[2] = patch;
    unsigned first, second, third;
    hb_version(&first, &second, &third);
    harfbuzz[0] = (int32_t)first, harfbuzz[1] = (int32_t)second, harfbuzz[2] = (int32_t)third;
}
