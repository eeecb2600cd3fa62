#ifndef POSTER_JPEG_SOURCE_H
#define POSTER_JPEG_SOURCE_H

// Feeds libjpeg some ranges of one buffer as if they were a file of their own.

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

#include "poster_byte_range.h"

struct poster_jpeg_source {
    struct jpeg_source_mgr manager;  // first, so that codec->src is this struct
    const uint8_t *bytes;
    const poster_byte_range *next, *end;
};

/// Makes `codec` read `ranges` of `bytes`, in their order, without copying. Ranges lie within the buffer; empty ones
/// are passed over. Buffer, ranges and `source` are borrowed until the codec is destroyed or given another source.
/// After the last range it behaves as jpeg_mem_src does after the last byte: it warns and supplies an end-of-image.
void poster_jpeg_source_install(struct jpeg_decompress_struct *codec, struct poster_jpeg_source *source,
                                const uint8_t *bytes, const poster_byte_range *ranges, size_t count);

#endif
