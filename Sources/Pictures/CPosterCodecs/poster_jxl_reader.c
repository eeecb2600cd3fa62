#include "poster_jxl_reader.h"

#include <stdlib.h>

#include <jxl/decode.h>

struct poster_jxl_reader {
    poster_jxl_request request;
    poster_watch watch;
    const uint8_t *bytes;
    size_t count;
    JxlDecoder *decoder;
    size_t frames_start;
    int is_stopped;
};

// Runs the tasks of a step in order, on the calling thread, until the watch stops them. libjxl 0.7 aborts the process if
// smoothing fails, its only step that begins at 1; the next step is stopped then.
static JxlParallelRetCode run(void *context, void *step, JxlParallelRunInit init, JxlParallelRunFunction task,
                              uint32_t start, uint32_t end) {
    poster_jxl_reader *reader = context;
    const JxlParallelRetCode result = init(step, 1);
    if (result != 0) return result;
    for (uint32_t index = start; index < end; index++) {
        if (start == 0 && poster_watch_ends(&reader->watch)) {
            reader->is_stopped = 1;
            return JXL_PARALLEL_RET_RUNNER_ERROR;
        }
        task(step, index, 0);
    }
    return 0;
}

// A decoder at the beginning of the codestream; NULL without memory.
static JxlDecoder *open_decoder(poster_jxl_reader *reader, int events) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    if (!decoder) return NULL;
    if (JxlDecoderSetParallelRunner(decoder, run, reader) == JXL_DEC_SUCCESS &&
        JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS &&
        JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
        JxlDecoderSetCoalescing(decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
        JxlDecoderSetInput(decoder, reader->bytes, reader->count) == JXL_DEC_SUCCESS) {
        return decoder;
    }
    JxlDecoderDestroy(decoder);
    return NULL;
}

// The outcome of a call that should have reported `expected`. Some steps ignore that they were stopped.
static enum poster_status status_of(const poster_jxl_reader *reader, JxlDecoderStatus status,
                                    JxlDecoderStatus expected) {
    if (reader->is_stopped) return POSTER_STOPPED;
    if (status == expected) return POSTER_OK;
    return status == JXL_DEC_NEED_MORE_INPUT ? POSTER_TRUNCATED : POSTER_CORRUPT;
}

static int is_requested(const poster_jxl_request *request, const JxlBasicInfo *info) {
    const uint32_t alpha = request->channels % 2 == 0;
    return info->xsize == request->width && info->ysize == request->height &&
           info->num_color_channels == request->channels - alpha && (info->alpha_bits > 0) == alpha;
}

// The colours of a picture in XYB if only a profile defines its own space.
static JxlColorEncoding replacement(uint32_t channels) {
    return (JxlColorEncoding){
        .color_space = channels < 3 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB,
        .white_point = JXL_WHITE_POINT_D65,
        .primaries = JXL_PRIMARIES_P3,
        .transfer_function = JXL_TRANSFER_FUNCTION_SRGB,
        .rendering_intent = JXL_RENDERING_INTENT_RELATIVE,
    };
}

static enum poster_status read_header(poster_jxl_reader *reader) {
    reader->decoder = open_decoder(reader, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    if (!reader->decoder) return POSTER_OUT_OF_MEMORY;
    JxlDecoderStatus status = JxlDecoderProcessInput(reader->decoder);
    if (status != JXL_DEC_BASIC_INFO) return status_of(reader, status, JXL_DEC_BASIC_INFO);
    JxlBasicInfo info;
    if (JxlDecoderGetBasicInfo(reader->decoder, &info) != JXL_DEC_SUCCESS) return POSTER_CORRUPT;
    if (!is_requested(&reader->request, &info)) return POSTER_CORRUPT;
    status = JxlDecoderProcessInput(reader->decoder);
    if (status != JXL_DEC_COLOR_ENCODING) return status_of(reader, status, JXL_DEC_COLOR_ENCODING);
    // The decoder has read all bytes before the first frame.
    const size_t rest = JxlDecoderReleaseInput(reader->decoder);
    reader->frames_start = reader->count - rest;
    status = JxlDecoderSetInput(reader->decoder, reader->bytes + reader->frames_start, rest);
    if (status != JXL_DEC_SUCCESS) return POSTER_CORRUPT;
    if (!reader->request.converts_colours) return POSTER_OK;
    const JxlColorEncoding colours = replacement(reader->request.channels);
    const int is_set = JxlDecoderSetPreferredColorProfile(reader->decoder, &colours) == JXL_DEC_SUCCESS;
    return is_set ? POSTER_OK : POSTER_CORRUPT;
}

enum poster_status poster_jxl_reader_create(const poster_jxl_request *request, const uint8_t *bytes, size_t count,
                                            const poster_watch *watch, poster_jxl_reader **result) {
    *result = NULL;
    if (request->channels < 1 || request->channels > 4) return POSTER_MISUSE;
    poster_jxl_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return POSTER_OUT_OF_MEMORY;
    reader->request = *request;
    reader->watch = *watch;
    reader->bytes = bytes;
    reader->count = count;
    const enum poster_status status = read_header(reader);
    if (status == POSTER_OK) {
        *result = reader;
    } else {
        poster_jxl_reader_destroy(reader);
    }
    return status;
}

void poster_jxl_reader_destroy(poster_jxl_reader *reader) {
    if (!reader) return;
    if (reader->decoder) JxlDecoderDestroy(reader->decoder);
    free(reader);
}

static const JxlPixelFormat *_Nonnull format_of(uint32_t channels) {
    static const JxlPixelFormat formats[] = {
        {1, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0},
        {2, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0},
        {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0},
        {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0},
    };
    return &formats[channels - 1];
}

size_t poster_jxl_reader_frames_start(const poster_jxl_reader *reader) { return reader->frames_start; }

size_t poster_jxl_reader_profile_size(const poster_jxl_reader *reader) {
    size_t size = 0;
    const JxlDecoderStatus status = JxlDecoderGetICCProfileSize(
        reader->decoder, format_of(reader->request.channels), JXL_COLOR_PROFILE_TARGET_DATA, &size);
    return status == JXL_DEC_SUCCESS ? size : 0;
}

enum poster_status poster_jxl_reader_profile(const poster_jxl_reader *reader, uint8_t *profile, size_t size) {
    const JxlDecoderStatus status =
        JxlDecoderGetColorAsICCProfile(reader->decoder, format_of(reader->request.channels),
                                       JXL_COLOR_PROFILE_TARGET_DATA, profile, size);
    return status == JXL_DEC_SUCCESS ? POSTER_OK : POSTER_CORRUPT;
}

enum poster_status poster_jxl_reader_decode(poster_jxl_reader *reader, uint8_t *pixels, size_t size) {
    if (!reader->decoder) return POSTER_MISUSE;
    const JxlPixelFormat *format = format_of(reader->request.channels);
    JxlDecoderStatus status = JxlDecoderProcessInput(reader->decoder);
    enum poster_status result = POSTER_CORRUPT;
    size_t needed = 0;
    if (status != JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
        result = status_of(reader, status, JXL_DEC_NEED_IMAGE_OUT_BUFFER);
    } else if (JxlDecoderImageOutBufferSize(reader->decoder, format, &needed) == JXL_DEC_SUCCESS && needed == size &&
               JxlDecoderSetImageOutBuffer(reader->decoder, format, pixels, size) == JXL_DEC_SUCCESS) {
        status = JxlDecoderProcessInput(reader->decoder);
        result = status_of(reader, status, JXL_DEC_FULL_IMAGE);
    }
    JxlDecoderDestroy(reader->decoder);
    reader->decoder = NULL;
    return result;
}
