#ifndef POSTER_HEVC_READER_H
#define POSTER_HEVC_READER_H

#include <stddef.h>
#include <stdint.h>

#include "poster_planes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// The picture that the sequence parameter set declares.
typedef struct {
    /// The size of the coded picture in pixels, 8...65535.
    uint32_t coded_width, coded_height;
    /// The offset of the shown part in pixels, whole samples of chroma.
    uint32_t left, top;
    /// 8, 10 or 12.
    uint32_t depth;
    /// Whether the picture has chroma, and whether chroma is halved horizontally and vertically.
    uint32_t has_chroma, halves_across, halves_down;
} poster_hevc_shape;

/// A decoder of one HEVC picture, and its planes. Not thread-safe.
typedef struct poster_hevc_reader poster_hevc_reader;

enum poster_status poster_hevc_reader_create(const poster_hevc_shape *shape,
                                             poster_hevc_reader *_Nullable *_Nonnull reader);
void poster_hevc_reader_destroy(poster_hevc_reader *_Nullable reader);

/// Copies a unit without start code or length, of at most INT32_MAX bytes, and decodes it with libde265 on the calling
/// thread. The first units are the sequence and the picture parameter set; the others are slice segments. A picture
/// of another shape is corrupt, and gets no memory.
enum poster_status poster_hevc_reader_push(poster_hevc_reader *reader, const uint8_t *unit, size_t count);

/// Completes the picture and frees the decoder. A picture with blocks that no slice has decoded is corrupt.
enum poster_status poster_hevc_reader_finish(poster_hevc_reader *reader);

/// The planes from the shown part on, after finish.
void poster_hevc_reader_planes(const poster_hevc_reader *reader, poster_planes *planes);

#pragma clang assume_nonnull end

#endif
