#include "poster_bench_bitmap.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>

// The libraries' fatal error hooks must not return. No value used after the jump changes between setjmp and the jump.
struct jpeg_errors {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
};

static void on_jpeg_fatal(j_common_ptr codec) { longjmp(((struct jpeg_errors *)codec->err)->escape, 1); }

static int write_jpeg(FILE *file, const uint8_t *rgba, uint32_t width, uint32_t height, int quality, int progressive) {
    struct jpeg_compress_struct codec;
    struct jpeg_errors errors;
    codec.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = on_jpeg_fatal;
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&codec);
        return 0;
    }
    jpeg_create_compress(&codec);
    jpeg_stdio_dest(&codec, file);
    codec.image_width = width;
    codec.image_height = height;
    codec.input_components = 4;
    codec.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&codec);  // 4:2:0
    jpeg_set_quality(&codec, quality, TRUE);
    if (progressive) jpeg_simple_progression(&codec);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(rgba + (size_t)4 * width * codec.next_scanline);
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    return 1;
}

int32_t poster_bench_write_jpeg(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                                int32_t quality, int32_t is_progressive) {
    FILE *file = fopen(path, "wbe");
    if (!file) return 0;
    const int is_written = write_jpeg(file, rgba, width, height, quality, is_progressive);
    return fclose(file) == 0 && is_written;
}

static int write_png(FILE *file, png_bytepp rows, uint32_t width, uint32_t height, int is_interlaced) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    if (!png) return 0;
    png_infop info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB,
                 is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    png_write_image(png, rows);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return 1;
}

int32_t poster_bench_write_png(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                               int32_t is_interlaced) {
    FILE *file = fopen(path, "wbe");
    png_bytepp rows = malloc(sizeof *rows * height);
    int is_written = 0;
    if (file && rows) {
        for (uint32_t y = 0; y < height; y++) rows[y] = (png_bytep)(rgba + (size_t)4 * width * y);
        is_written = write_png(file, rows, width, height, is_interlaced);
    }
    free(rows);
    return file && fclose(file) == 0 && is_written;
}

int32_t poster_bench_write_webp(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                                int32_t quality, int32_t is_lossless) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigPreset(&config, WEBP_PRESET_PICTURE, (float)quality) || !WebPPictureInit(&picture)) return 0;
    if (is_lossless && !WebPConfigLosslessPreset(&config, 2)) return 0;
    if (!is_lossless) config.method = 4;
    WebPMemoryWriter memory;
    WebPMemoryWriterInit(&memory);
    picture.use_argb = is_lossless;
    picture.width = (int)width;
    picture.height = (int)height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &memory;
    int is_written = WebPPictureImportRGBX(&picture, rgba, 4 * (int)width) && WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    FILE *file = is_written ? fopen(path, "wbe") : NULL;
    if (file) {
        is_written = fwrite(memory.mem, 1, memory.size, file) == memory.size;
        is_written = fclose(file) == 0 && is_written;
    }
    WebPMemoryWriterClear(&memory);
    return file && is_written;
}
