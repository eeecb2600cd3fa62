// Encodes pictures of a formula, and prints digests, so that machines with the same libraries can be compared.
//
// A worker on arm64 renders pictures before it enters its sandbox. So does this program, before a call of getppid, which
// marks the place in a recording of system calls.

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "poster_avif_encoder.h"
#include "poster_jpeg.h"
#include "poster_jxl_encoder.h"
#include "poster_webp.h"

static int32_t go_on(void *context) { return (void)context, 0; }
static const poster_watch watch = {go_on, NULL};

static uint8_t planes[3][1 << 18], pixels[3 << 18];

static void print(const char *name, enum poster_status status, const void *bytes, size_t count) {
    uint64_t digest = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++) digest = (digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
    printf("%s: status %d, %zu bytes, %016llx\n", name, (int)status, count, (unsigned long long)digest);
}

static void fill(uint32_t width, uint32_t height) {
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = y * width + x, wave = (x * x + 3 * y * y) / 97;
            planes[0][at] = (uint8_t)(16 + (wave ^ (x * y / 31)) % 220);
            planes[1][at] = (uint8_t)(64 + (x + y) % 128);
            planes[2][at] = (uint8_t)(64 + (2 * x + wave) % 128);
            for (int c = 0; c < 3; c++) pixels[3 * at + (uint32_t)c] = planes[c][at];
        }
    }
}

static poster_bytes jpeg(uint32_t width, uint32_t height, uint32_t progressive, enum poster_status *status) {
    poster_bytes bytes = {0};
    poster_jpeg_writer *writer = poster_jpeg_writer_create();
    const poster_jpeg_format format = {width, height, 3, 2, 2, 82, progressive};
    const uint32_t half = (height + 1) / 2;
    poster_jpeg_band band = {.rows = {height, half, half}};
    for (int c = 0; c < 3; c++) band.planes[c] = planes[c], band.strides[c] = width;
    *status = poster_jpeg_writer_begin(writer, &format);
    if (*status == POSTER_OK) *status = poster_jpeg_writer_write(writer, &band, &watch);
    if (*status == POSTER_OK) *status = poster_jpeg_writer_finish(writer, &bytes);
    poster_jpeg_writer_destroy(writer);
    return bytes;
}

static poster_bytes avif(uint32_t width, uint32_t height, enum poster_status *status) {
    poster_bytes bytes = {0};
    const poster_avif_picture picture = {
        .width = width, .height = height, .luma = planes[0], .blue = planes[1], .red = planes[2],
        .luma_stride = width, .chroma_stride = width, .quantizer = 30, .speed = 8};
    *status = poster_avif_encode(&picture, &bytes);
    return bytes;
}

static void encode(uint32_t width, uint32_t height) {
    enum poster_status status;
    fill(width, height);
    for (uint32_t progressive = 0; progressive < 2; progressive++) {
        const poster_bytes bytes = jpeg(width, height, progressive, &status);
        print(progressive ? "progressive JPEG" : "JPEG", status, bytes.start, bytes.count);
        free(bytes.start);
    }
    poster_bytes bytes = avif(width, height, &status);
    print("AVIF", status, bytes.start, bytes.count);
    free(bytes.start);

    bytes = (poster_bytes){0};
    poster_webp_picture webp = {
        .width = width, .height = height, .luma = planes[0], .blue = planes[1], .red = planes[2],
        .luma_stride = width, .chroma_stride = width, .quality = 80, .method = 4, .filter_strength = 60};
    status = poster_webp_encode(&webp, &watch, &bytes);
    print("WebP", status, bytes.start, bytes.count);
    free(bytes.start);

    for (uint32_t effort = 3; effort <= 7; effort += 4) {
        bytes = (poster_bytes){0};
        const poster_jxl_picture jxl = {width, height, 3, pixels, height, 0.5f * (float)effort, effort};
        status = poster_jxl_encode(&jxl, &watch, &bytes);
        print("JPEG XL", status, bytes.start, bytes.count);
        free(bytes.start);
    }
}

int main(void) {
    enum poster_status status;
    free(jpeg(16, 16, 0, &status).start);
    free(avif(16, 16, &status).start);
    (void)getppid();
    encode(240, 320);
    encode(37, 53);
    return 0;
}
