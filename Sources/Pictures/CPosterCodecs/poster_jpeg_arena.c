#define _GNU_SOURCE  // madvise
#include "poster_jpeg_arena.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <jerror.h>

// AddressSanitizer cannot tell parts of a mapping apart: with it, each row of blocks is followed by poisoned bytes, and
// small pictures get a mapping too.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POSTER_JPEG_ARENA_HAS_GAPS
#endif
#endif

#if defined(POSTER_JPEG_ARENA_HAS_GAPS)
#include <sanitizer/asan_interface.h>
enum { huge_page = 4096, gap = 32 };
static const size_t least_size = 0;
#else
#define ASAN_POISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
enum { huge_page = 2 << 20, gap = 0 };
// Below this libjpeg's own memory is as fast: malloc still has it from the previous picture.
static const size_t least_size = 2 * (size_t)huge_page;
#endif

// libjpeg's decoder uses this type only by name, and passes it back to the methods below.
struct jvirt_barray_control {
    struct jvirt_barray_control *next;
    JBLOCKARRAY rows;  // NULL until the memory is allocated
    JDIMENSION blocks_per_row, row_count, max_access;
};

// The caller's data begins with a pointer to the arena.
static struct poster_jpeg_arena *arena_of(j_common_ptr codec) {
    return *(struct poster_jpeg_arena **)codec->client_data;
}

static jvirt_barray_ptr on_request(j_common_ptr codec, int pool, boolean pre_zero, JDIMENSION blocks_per_row,
                                   JDIMENSION row_count, JDIMENSION max_access) {
    (void)pre_zero;  // fresh memory is zero
    struct poster_jpeg_arena *arena = arena_of(codec);
    if (pool != JPOOL_IMAGE || arena->is_complete) ERREXIT1(codec, JERR_BAD_POOL_ID, pool);
    struct jvirt_barray_control *array = codec->mem->alloc_small(codec, pool, sizeof *array);
    array->rows = NULL;
    array->blocks_per_row = blocks_per_row;
    array->row_count = row_count;
    array->max_access = max_access;
    array->next = arena->arrays;
    arena->arrays = array;
    return array;
}

static void use_own_memory(j_common_ptr codec, struct jvirt_barray_control *array) {
    array->rows = codec->mem->alloc_barray(codec, JPOOL_IMAGE, array->blocks_per_row, array->row_count);
    for (JDIMENSION row = 0; row < array->row_count; row++) {
        memset(array->rows[row], 0, sizeof(JBLOCK) * array->blocks_per_row);
    }
}

static void use_mapping(j_common_ptr codec, struct poster_jpeg_arena *arena, size_t size) {
    // A mapping begins at any page; one more huge page makes room for alignment.
    size = (size + 2 * (size_t)huge_page - 1) / huge_page * huge_page;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) ERREXIT1(codec, JERR_OUT_OF_MEMORY, 0);
    arena->memory = memory;
    arena->size = size;
    madvise(memory, size, MADV_HUGEPAGE);  // without huge pages small ones are used
    uint8_t *at = (uint8_t *)(((uintptr_t)memory + huge_page - 1) / huge_page * huge_page);
    for (struct jvirt_barray_control *array = arena->arrays; array; array = array->next) {
        array->rows = codec->mem->alloc_large(codec, JPOOL_IMAGE, sizeof(JBLOCKROW) * (size_t)array->row_count);
        for (JDIMENSION row = 0; row < array->row_count; row++) {
            array->rows[row] = (JBLOCK *)at;
            at += sizeof(JBLOCK) * array->blocks_per_row;
            ASAN_POISON_MEMORY_REGION(at, gap);
            at += gap;
        }
    }
}

// Allocates the rows of one group of each component. libjpeg requested the arrays in the components' order.
static void use_group(j_common_ptr codec, struct poster_jpeg_arena *arena) {
    int index = ((j_decompress_ptr)codec)->num_components;
    for (struct jvirt_barray_control *array = arena->arrays; array; array = array->next) {
        const jpeg_component_info *component = &((j_decompress_ptr)codec)->comp_info[--index];
        const JDIMENSION row_count = (JDIMENSION)component->v_samp_factor;
        const size_t row_size = sizeof(JBLOCK) * array->blocks_per_row;
        uint8_t *at = codec->mem->alloc_large(codec, JPOOL_IMAGE, row_size * row_count);
        array->rows = codec->mem->alloc_small(codec, JPOOL_IMAGE, sizeof(JBLOCKROW) * row_count);
        for (JDIMENSION row = 0; row < row_count; row++) array->rows[row] = (JBLOCK *)(at + row_size * row);
        array->max_access = row_count;
    }
}

static void on_realize(j_common_ptr codec) {
    struct poster_jpeg_arena *arena = arena_of(codec);
    arena->realize(codec);
    if (arena->is_complete) return;
    arena->is_complete = TRUE;
    if (arena->holds_group) {
        use_group(codec, arena);
        return;
    }
    size_t size = 0;
    for (struct jvirt_barray_control *array = arena->arrays; array; array = array->next) {
        size += (sizeof(JBLOCK) * array->blocks_per_row + gap) * array->row_count;
    }
    if (size >= least_size) {
        use_mapping(codec, arena, size);
    } else {
        for (struct jvirt_barray_control *array = arena->arrays; array; array = array->next) {
            use_own_memory(codec, array);
        }
    }
}

static JBLOCKARRAY on_access(j_common_ptr codec, jvirt_barray_ptr array, JDIMENSION start, JDIMENSION count,
                             boolean writable) {
    (void)writable;
    if (!array->rows || count > array->max_access || start > array->row_count ||
        count > array->row_count - start) {
        ERREXIT(codec, JERR_BAD_VIRTUAL_ACCESS);
    }
    return arena_of(codec)->holds_group ? array->rows : array->rows + start;
}

int16_t *poster_jpeg_arena_group(const struct poster_jpeg_arena *arena, int component, int component_count,
                                 JDIMENSION *blocks_per_row) {
    const struct jvirt_barray_control *array = arena->arrays;
    for (int index = component_count - 1; array && index > component; index--) array = array->next;
    if (!arena->holds_group || !array || !array->rows) return NULL;
    *blocks_per_row = array->blocks_per_row;
    return array->rows[0][0];
}

void poster_jpeg_arena_install(j_common_ptr codec, struct poster_jpeg_arena *arena) {
    arena->arrays = NULL;
    arena->memory = NULL;
    arena->size = 0;
    arena->is_complete = FALSE;
    arena->holds_group = FALSE;
    arena->realize = codec->mem->realize_virt_arrays;
    codec->mem->request_virt_barray = on_request;
    codec->mem->realize_virt_arrays = on_realize;
    codec->mem->access_virt_barray = on_access;
}

void poster_jpeg_arena_release(struct poster_jpeg_arena *arena) {
    if (arena->memory) {
        ASAN_UNPOISON_MEMORY_REGION(arena->memory, arena->size);
        munmap(arena->memory, arena->size);
    }
    arena->memory = NULL;
    arena->arrays = NULL;
}
