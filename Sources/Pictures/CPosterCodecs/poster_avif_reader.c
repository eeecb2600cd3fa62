#include "poster_avif_reader.h"

#include <stdlib.h>

#include <avif/avif.h>

struct poster_avif_reader {
    // First, so that the callback can cast its pointer to the reader.
    avifIO io;
    poster_avif_file file;
    avifDecoder *decoder;
};

// Lends bytes of one of the two parts; no box or item that libavif reads crosses their border.
static avifResult on_read(avifIO *io, uint32_t flags, uint64_t offset, size_t size, avifROData *out) {
    const poster_avif_file *file = &((poster_avif_reader *)io)->file;
    if (flags != 0 || offset > file->box_count + file->data_count) return AVIF_RESULT_IO_ERROR;
    const uint8_t *part = file->boxes;
    size_t count = file->box_count;
    if (offset >= count) {
        offset -= count;
        part = file->data;
        count = file->data_count;
    }
    const size_t rest = count - (size_t)offset;
    out->data = part + offset;
    out->size = size < rest ? size : rest;
    return AVIF_RESULT_OK;
}

static enum poster_status status_of(avifResult result) {
    switch (result) {
        case AVIF_RESULT_OK: return POSTER_OK;
        case AVIF_RESULT_OUT_OF_MEMORY: return POSTER_OUT_OF_MEMORY;
        case AVIF_RESULT_NO_CODEC_AVAILABLE:
        case AVIF_RESULT_IO_NOT_SET:
        case AVIF_RESULT_NOT_IMPLEMENTED: return POSTER_MISUSE;
        default: return POSTER_CORRUPT;
    }
}

static avifPixelFormat format_of(const poster_avif_shape *shape) {
    if (!shape->has_chroma) return AVIF_PIXEL_FORMAT_YUV400;
    if (!shape->halves_across) return AVIF_PIXEL_FORMAT_YUV444;
    return shape->halves_down ? AVIF_PIXEL_FORMAT_YUV420 : AVIF_PIXEL_FORMAT_YUV422;
}

static int has_shape(const avifImage *image, const poster_avif_shape *shape) {
    return image->width == shape->width && image->height == shape->height && image->depth == shape->depth &&
           image->yuvFormat == format_of(shape);
}

static enum poster_status decode(poster_avif_reader *reader, const poster_avif_shape *shape) {
    avifDecoder *decoder = reader->decoder;
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->maxThreads = 1;
    decoder->ignoreExif = AVIF_TRUE;
    decoder->ignoreXMP = AVIF_TRUE;
    // Also dav1d's limit, which applies before it allocates a picture.
    decoder->imageSizeLimit = shape->width * shape->height;
    decoder->imageDimensionLimit = shape->width > shape->height ? shape->width : shape->height;
    decoder->imageCountLimit = 1;
    decoder->strictFlags = AVIF_STRICT_ENABLED;
    avifResult result = avifDecoderSetSource(decoder, AVIF_DECODER_SOURCE_PRIMARY_ITEM);
    if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
    if (result == AVIF_RESULT_OK && !has_shape(decoder->image, shape)) return POSTER_CORRUPT;
    if (result == AVIF_RESULT_OK) result = avifDecoderNextImage(decoder);
    if (result == AVIF_RESULT_OK && !has_shape(decoder->image, shape)) return POSTER_CORRUPT;
    return status_of(result);
}

enum poster_status poster_avif_reader_create(const poster_avif_file *file, const poster_avif_shape *shape,
                                             poster_avif_reader **result) {
    *result = NULL;
    const uint64_t pixels = (uint64_t)shape->width * shape->height;
    if (pixels == 0 || pixels > AVIF_DEFAULT_IMAGE_SIZE_LIMIT) return POSTER_MISUSE;
    poster_avif_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return POSTER_OUT_OF_MEMORY;
    reader->file = *file;
    reader->io.read = on_read;
    reader->io.sizeHint = file->box_count + file->data_count;
    reader->io.persistent = AVIF_TRUE;
    reader->decoder = avifDecoderCreate();
    enum poster_status status = POSTER_OUT_OF_MEMORY;
    if (reader->decoder) {
        // Without a destroy callback the decoder does not free the IO.
        avifDecoderSetIO(reader->decoder, &reader->io);
        status = decode(reader, shape);
    }
    if (status == POSTER_OK) {
        *result = reader;
    } else {
        poster_avif_reader_destroy(reader);
    }
    return status;
}

void poster_avif_reader_destroy(poster_avif_reader *reader) {
    if (!reader) return;
    if (reader->decoder) avifDecoderDestroy(reader->decoder);
    free(reader);
}

void poster_avif_reader_planes(const poster_avif_reader *reader, poster_planes *planes) {
    const avifImage *image = reader->decoder->image;
    for (int index = 0; index < 3; index++) {
        planes->planes[index] = image->yuvPlanes[index];
        planes->strides[index] = image->yuvRowBytes[index];
    }
    planes->is_full_range = image->yuvRange == AVIF_RANGE_FULL;
}
