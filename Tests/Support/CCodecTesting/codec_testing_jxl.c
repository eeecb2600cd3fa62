#include "codec_testing_jxl.h"

#include <jxl/decode.h>

static int describe(JxlDecoder *decoder, codec_testing_jxl_header *header) {
    JxlBasicInfo info;
    if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS || info.have_animation) return 0;
    header->width = info.xsize;
    header->height = info.ysize;
    header->channels = info.num_color_channels + (info.alpha_bits > 0 ? 1 : 0);
    return info.bits_per_sample == 8 && !info.alpha_premultiplied;
}

static void note_colours(JxlDecoder *decoder, codec_testing_jxl_header *header) {
    JxlColorEncoding colours;
    header->is_srgb =
        JxlDecoderGetColorAsEncodedProfile(decoder, NULL, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &colours) ==
            JXL_DEC_SUCCESS &&
        colours.transfer_function == JXL_TRANSFER_FUNCTION_SRGB && colours.white_point == JXL_WHITE_POINT_D65 &&
        (colours.color_space == JXL_COLOR_SPACE_GRAY || colours.primaries == JXL_PRIMARIES_SRGB);
}

// Passes a whole file to a new decoder; NULL if there is none.
static JxlDecoder *open_file(const uint8_t *bytes, size_t count, int events) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    if (!decoder) return NULL;
    if (JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, bytes, count) == JXL_DEC_SUCCESS) {
        JxlDecoderCloseInput(decoder);
        return decoder;
    }
    JxlDecoderDestroy(decoder);
    return NULL;
}

static int decode(JxlDecoder *decoder, codec_testing_jxl_header *header, uint8_t *pixels, size_t capacity) {
    for (;;) {
        switch (JxlDecoderProcessInput(decoder)) {
            case JXL_DEC_BASIC_INFO:
                if (!describe(decoder, header)) return 0;
                break;
            case JXL_DEC_COLOR_ENCODING: note_colours(decoder, header); break;
            case JXL_DEC_BOX: header->box_count++; break;
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: {
                const JxlPixelFormat format = {header->channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
                const size_t size = (size_t)header->width * header->height * header->channels;
                if (size > capacity) return 0;
                if (JxlDecoderSetImageOutBuffer(decoder, &format, pixels, size) != JXL_DEC_SUCCESS) return 0;
                break;
            }
            case JXL_DEC_FULL_IMAGE: break;
            case JXL_DEC_SUCCESS: return 1;
            default: return 0;
        }
    }
}

// Counts frames without composing them.
static int count_frames(JxlDecoder *decoder, codec_testing_jxl_header *header) {
    if (JxlDecoderSetCoalescing(decoder, JXL_FALSE) != JXL_DEC_SUCCESS) return 0;
    for (;;) {
        switch (JxlDecoderProcessInput(decoder)) {
            case JXL_DEC_FRAME: header->frame_count++; break;
            case JXL_DEC_SUCCESS: return 1;
            default: return 0;
        }
    }
}

int32_t codec_testing_jxl(const uint8_t *bytes, size_t count, codec_testing_jxl_header *header, uint8_t *pixels,
                          size_t capacity) {
    *header = (codec_testing_jxl_header){0};
    const int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE | JXL_DEC_BOX;
    JxlDecoder *decoder = open_file(bytes, count, events);
    const int is_decoded = decoder && decode(decoder, header, pixels, capacity);
    JxlDecoderDestroy(decoder);
    if (!is_decoded) return 0;
    decoder = open_file(bytes, count, JXL_DEC_FRAME);
    const int is_counted = decoder && count_frames(decoder, header);
    JxlDecoderDestroy(decoder);
    return is_counted;
}
