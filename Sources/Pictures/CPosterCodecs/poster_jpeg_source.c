#include "poster_jpeg_source.h"

#include <jerror.h>

static void on_init(j_decompress_ptr codec) { (void)codec; }

static void on_term(j_decompress_ptr codec) { (void)codec; }

// Returns 0 when nothing is left.
static int advance(struct poster_jpeg_source *source) {
    while (source->next != source->end) {
        const poster_byte_range range = *source->next++;
        if (range.length == 0) continue;
        source->manager.next_input_byte = source->bytes + range.offset;
        source->manager.bytes_in_buffer = range.length;
        return 1;
    }
    return 0;
}

static boolean on_fill(j_decompress_ptr codec) {
    static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};
    struct poster_jpeg_source *source = (struct poster_jpeg_source *)codec->src;
    if (!advance(source)) {
        WARNMS(codec, JWRN_JPEG_EOF);
        source->manager.next_input_byte = end_of_image;
        source->manager.bytes_in_buffer = sizeof end_of_image;
    }
    return TRUE;
}

static void on_skip(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    size_t left = (size_t)count;
    // The supply never ends: past the last range come end-of-image markers, two bytes each, for at most 64 KiB.
    while (left > codec->src->bytes_in_buffer) {
        left -= codec->src->bytes_in_buffer;
        on_fill(codec);
    }
    codec->src->next_input_byte += left;
    codec->src->bytes_in_buffer -= left;
}

void poster_jpeg_source_install(struct jpeg_decompress_struct *codec, struct poster_jpeg_source *source,
                                const uint8_t *bytes, const poster_byte_range *ranges, size_t count) {
    source->bytes = bytes;
    source->next = ranges;
    source->end = ranges + count;
    source->manager.init_source = on_init;
    source->manager.fill_input_buffer = on_fill;
    source->manager.skip_input_data = on_skip;
    source->manager.resync_to_restart = jpeg_resync_to_restart;
    source->manager.term_source = on_term;
    source->manager.next_input_byte = NULL;
    source->manager.bytes_in_buffer = 0;
    if (!advance(source)) ERREXIT(codec, JERR_INPUT_EMPTY);
    codec->src = &source->manager;
}
