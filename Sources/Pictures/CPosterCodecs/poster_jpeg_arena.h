#ifndef POSTER_JPEG_ARENA_H
#define POSTER_JPEG_ARENA_H

// Stores libjpeg's coefficients of a whole picture in one mapping of huge pages.
//
// libjpeg allocates them by malloc and clears them row by row. malloc often maps and unmaps such large blocks for each
// picture (always above 32 MB), and a page fault for every 4 KiB costs as much as the decoding. Here the kernel clears
// 2 MiB at a time, and they are not cleared again.

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

struct poster_jpeg_arena {
    void (*realize)(j_common_ptr codec);
    struct jvirt_barray_control *arrays;
    void *memory;  // NULL for small pictures, which need no mapping
    size_t size;
    boolean is_complete;
    // Whether the arrays hold one group of rows, which the caller refills for each group; see
    // poster_jpeg_reader_start_group.
    boolean holds_group;
};

/// Makes `codec` allocate its virtual arrays of coefficients in `arena`, which is borrowed until it is released.
/// Call it once after creating the codec; `codec->client_data` must point to a pointer to `arena`.
void poster_jpeg_arena_install(j_common_ptr codec, struct poster_jpeg_arena *arena);

/// The coefficients of a component's group, row after row of blocks; NULL unless the arena holds a group.
int16_t *poster_jpeg_arena_group(const struct poster_jpeg_arena *arena, int component, int component_count,
                                 JDIMENSION *blocks_per_row);

/// Frees the memory; call it after destroying the codec.
void poster_jpeg_arena_release(struct poster_jpeg_arena *arena);

#endif
