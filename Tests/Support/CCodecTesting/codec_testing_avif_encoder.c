#include "codec_testing_avif_encoder.h"

#include <string.h>

#include <avif/avif.h>

enum { most_cells = 64 };

static avifPixelFormat pixel_format(const codec_testing_avif_format *format) {
    if (format->chroma_across == 0) return AVIF_PIXEL_FORMAT_YUV400;
    if (format->chroma_across == 1) return AVIF_PIXEL_FORMAT_YUV444;
    return format->chroma_down == 1 ? AVIF_PIXEL_FORMAT_YUV422 : AVIF_PIXEL_FORMAT_YUV420;
}

// Encodes the part of the picture that belongs to a cell.
static avifImage *make_cell(const codec_testing_avif_format *format, uint32_t index, const uint8_t *rgba) {
    const uint32_t width = format->width / format->columns, height = format->height / format->rows;
    avifImage *image = avifImageCreate(width, height, format->depth, pixel_format(format));
    image->yuvRange = format->is_full_range ? AVIF_RANGE_FULL : AVIF_RANGE_LIMITED;
    image->colorPrimaries = (avifColorPrimaries)format->primaries;
    image->transferCharacteristics = (avifTransferCharacteristics)format->transfer;
    image->matrixCoefficients = (avifMatrixCoefficients)format->matrix;
    image->alphaPremultiplied = format->is_premultiplied;
    if (format->profile) avifImageSetProfileICC(image, format->profile, format->profile_count);
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, image);
    rgb.depth = 8;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.ignoreAlpha = !format->has_alpha;
    rgb.rowBytes = 4 * format->width;
    const size_t left = (size_t)(index % format->columns) * width, top = (size_t)(index / format->columns) * height;
    rgb.pixels = (uint8_t *)rgba + 4 * (top * format->width + left);  // libavif only reads
    if (avifImageRGBToYUV(image, &rgb) != AVIF_RESULT_OK) {
        avifImageDestroy(image);
        return NULL;
    }
    return image;
}

static avifResult add_cells(avifEncoder *encoder, const codec_testing_avif_format *format, avifImage **cells) {
    if (format->columns * format->rows > 1) {
        return avifEncoderAddImageGrid(encoder, format->columns, format->rows, (const avifImage *const *)cells,
                                       AVIF_ADD_IMAGE_FLAG_SINGLE);
    }
    avifResult result = AVIF_RESULT_OK;
    for (uint32_t frame = 0; frame < format->frame_count && result == AVIF_RESULT_OK; frame++) {
        result = avifEncoderAddImage(encoder, cells[0], 1,
                                     format->frame_count == 1 ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE);
    }
    return result;
}

size_t codec_testing_avif_encode(const codec_testing_avif_format *format, const uint8_t *rgba, uint8_t *output,
                                 size_t capacity) {
    const uint32_t cell_count = format->columns * format->rows;
    if (cell_count == 0 || cell_count > most_cells) return 0;
    avifImage *cells[most_cells] = {0};
    avifResult result = AVIF_RESULT_OK;
    for (uint32_t index = 0; index < cell_count; index++) {
        cells[index] = make_cell(format, index, rgba);
        if (!cells[index]) result = AVIF_RESULT_INVALID_ARGUMENT;
    }
    avifEncoder *encoder = avifEncoderCreate();
    encoder->codecChoice = AVIF_CODEC_CHOICE_AOM;
    encoder->speed = AVIF_SPEED_FASTEST;
    encoder->minQuantizer = encoder->maxQuantizer = format->matrix == AVIF_MATRIX_COEFFICIENTS_IDENTITY ? 0 : 4;
    encoder->minQuantizerAlpha = encoder->maxQuantizerAlpha = 4;
    encoder->tileColsLog2 = format->tile_columns_log2;
    encoder->tileRowsLog2 = format->tile_rows_log2;
    avifRWData file = AVIF_DATA_EMPTY;
    if (result == AVIF_RESULT_OK) result = add_cells(encoder, format, cells);
    if (result == AVIF_RESULT_OK) result = avifEncoderFinish(encoder, &file);
    size_t count = result == AVIF_RESULT_OK && file.size <= capacity ? file.size : 0;
    if (count > 0) memcpy(output, file.data, count);
    avifRWDataFree(&file);
    avifEncoderDestroy(encoder);
    for (uint32_t index = 0; index < cell_count; index++) {
        if (cells[index]) avifImageDestroy(cells[index]);
    }
    return count;
}

int32_t codec_testing_avif_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height, uint8_t *rgba,
                                  size_t capacity) {
    avifDecoder *decoder = avifDecoderCreate();
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    avifResult result = avifDecoderSetIOMemory(decoder, bytes, count);
    if (result == AVIF_RESULT_OK) result = avifDecoderParse(decoder);
    if (result == AVIF_RESULT_OK) result = avifDecoderNextImage(decoder);
    if (result == AVIF_RESULT_OK) {
        *width = decoder->image->width;
        *height = decoder->image->height;
        avifRGBImage rgb;
        avifRGBImageSetDefaults(&rgb, decoder->image);
        rgb.depth = 8;
        rgb.format = AVIF_RGB_FORMAT_RGBA;
        rgb.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_BILINEAR;
        rgb.rowBytes = 4 * rgb.width;
        rgb.pixels = rgba;
        result = (size_t)rgb.rowBytes * rgb.height <= capacity ? avifImageYUVToRGB(decoder->image, &rgb)
                                                              : AVIF_RESULT_INVALID_ARGUMENT;
    }
    avifDecoderDestroy(decoder);
    return result == AVIF_RESULT_OK;
}
