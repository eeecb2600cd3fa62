#include "poster_bench_bitmap.h"

#include <string.h>

#include <png.h>
#include <webp/decode.h>

int32_t poster_bench_png_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                                uint8_t *rgba) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, bytes, count)) return 0;
    *width = image.width;
    *height = image.height;
    image.format = PNG_FORMAT_RGBA;
    const int is_done = !rgba || png_image_finish_read(&image, NULL, rgba, 0, NULL);
    png_image_free(&image);
    return is_done;
}

int32_t poster_bench_webp_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                                 uint8_t *rgba) {
    int columns, rows;
    if (!WebPGetInfo(bytes, count, &columns, &rows)) return 0;
    *width = (uint32_t)columns;
    *height = (uint32_t)rows;
    if (!rgba) return 1;
    return WebPDecodeRGBAInto(bytes, count, rgba, (size_t)4 * *width * *height, 4 * columns) != NULL;
}
