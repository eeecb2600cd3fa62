#ifndef POSTER_AVIF_READER_H
#define POSTER_AVIF_READER_H

#include <stddef.h>
#include <stdint.h>

#include "poster_planes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// A file of one AV1 picture, assembled by the caller: its boxes, and the data that follows them.
typedef struct {
    const uint8_t *boxes;
    size_t box_count;
    const uint8_t *data;
    size_t data_count;
} poster_avif_file;

/// The picture that the boxes declare.
typedef struct {
    /// In pixels, 1...65536.
    uint32_t width, height;
    /// 8, 10 or 12.
    uint32_t depth;
    /// Whether the picture has chroma, and whether chroma is halved horizontally and vertically.
    uint32_t has_chroma, halves_across, halves_down;
} poster_avif_shape;

/// A decoded picture. Not thread-safe.
typedef struct poster_avif_reader poster_avif_reader;

/// Decodes the picture with dav1d on the calling thread. `file` is borrowed until destroy. A picture of another shape
/// is corrupt; a larger one is never decoded.
enum poster_status poster_avif_reader_create(const poster_avif_file *file, const poster_avif_shape *shape,
                                             poster_avif_reader *_Nullable *_Nonnull reader);
void poster_avif_reader_destroy(poster_avif_reader *_Nullable reader);

void poster_avif_reader_planes(const poster_avif_reader *reader, poster_planes *planes);

#pragma clang assume_nonnull end

#endif
