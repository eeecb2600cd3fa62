#include "poster_decompression.h"

#include <limits.h>
#include <stdlib.h>

#include <brotli/decode.h>
#include <zlib.h>

/// The largest window; 16 is added for gzip's header and trailer instead of zlib's; negative without either.
static const int gzip_window_bits = 15 + 16;
static const int zlib_window_bits = 15;
static const int bare_window_bits = -15;

/// The first byte of a gzip member, and the number of bytes by which zlib recognises one.
static const uint8_t gzip_magic = 0x1f;
static const uLong gzip_magic_length = 2;

struct poster_decoder {
    enum poster_decoder_coding coding;
    BrotliDecoderState *brotli;
    z_stream zlib;
    bool has_zlib;
    /// Whether the current gzip member is not the first: what follows the first may be padding instead.
    bool is_further_member;
    /// The first bytes of a deflate coding, which distinguish a zlib stream from a bare one.
    uint8_t head[2];
    size_t head_count;
    /// Whether the stream, or the current gzip member, has ended.
    bool has_ended;
    /// Whether the remaining input is ignored.
    bool skips_rest;
};

poster_decoder *poster_decoder_create(enum poster_decoder_coding coding) {
    poster_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->coding = coding;
    bool is_ready = true;
    if (coding == POSTER_DECODER_GZIP) {
        is_ready = decoder->has_zlib = inflateInit2(&decoder->zlib, gzip_window_bits) == Z_OK;
    } else if (coding == POSTER_DECODER_BROTLI) {
        decoder->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
        is_ready = decoder->brotli != NULL;
    }
    if (is_ready) return decoder;
    poster_decoder_destroy(decoder);
    return NULL;
}

void poster_decoder_destroy(poster_decoder *decoder) {
    if (!decoder) return;
    if (decoder->has_zlib) inflateEnd(&decoder->zlib);
    if (decoder->brotli) BrotliDecoderDestroyInstance(decoder->brotli);
    free(decoder);
}

static enum poster_decoder_status inflate_some(poster_decoder *decoder, const uint8_t *input, size_t *input_count,
                                               uint8_t *output, size_t *output_count) {
    z_stream *stream = &decoder->zlib;
    uInt available = *input_count < UINT_MAX ? (uInt)*input_count : UINT_MAX;
    uInt room = *output_count < UINT_MAX ? (uInt)*output_count : UINT_MAX;
    stream->next_in = (Bytef *)input;  // zlib only reads
    stream->avail_in = available;
    stream->next_out = output;
    stream->avail_out = room;
    int status = Z_OK;
    while (status == Z_OK && !decoder->skips_rest && stream->avail_out > 0) {
        if (decoder->has_ended) {
            if (stream->avail_in == 0) break;
            // Anything but another member is padding, which gzip(1) ignores too.
            if (decoder->coding != POSTER_DECODER_GZIP || *stream->next_in != gzip_magic) {
                decoder->skips_rest = true;
                break;
            }
            inflateReset(stream);
            decoder->has_ended = false;
            decoder->is_further_member = true;
        }
        status = inflate(stream, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            decoder->has_ended = true;
            status = Z_OK;
        } else if (status == Z_DATA_ERROR && decoder->is_further_member && stream->total_in <= gzip_magic_length) {
            decoder->has_ended = true;
            decoder->skips_rest = true;
            status = Z_OK;
        }
    }
    *input_count = decoder->skips_rest ? *input_count : available - stream->avail_in;
    *output_count = room - stream->avail_out;
    if (status == Z_MEM_ERROR) return POSTER_DECODER_OUT_OF_MEMORY;
    // Z_BUF_ERROR: no progress without more input, or more room.
    if (status != Z_OK && status != Z_BUF_ERROR) return POSTER_DECODER_DAMAGED;
    return decoder->has_ended ? POSTER_DECODER_COMPLETE : POSTER_DECODER_INCOMPLETE;
}

/// Collects the first two bytes, detects the form by them (RFC 1950, 2.2), and starts decoding.
static enum poster_decoder_status begin_deflate(poster_decoder *decoder, const uint8_t *input, size_t *input_count,
                                                uint8_t *output, size_t *output_count) {
    size_t count = 0, head_count = sizeof decoder->head;
    while (decoder->head_count < head_count && count < *input_count) {
        decoder->head[decoder->head_count++] = input[count++];
    }
    *input_count = count;
    if (decoder->head_count < head_count) {
        *output_count = 0;
        return POSTER_DECODER_INCOMPLETE;
    }
    bool is_zlib = (decoder->head[0] & 0x0f) == Z_DEFLATED && (decoder->head[0] << 8 | decoder->head[1]) % 31 == 0;
    decoder->has_zlib = inflateInit2(&decoder->zlib, is_zlib ? zlib_window_bits : bare_window_bits) == Z_OK;
    if (!decoder->has_zlib) {
        *output_count = 0;
        return POSTER_DECODER_OUT_OF_MEMORY;
    }
    return inflate_some(decoder, decoder->head, &head_count, output, output_count);
}

static enum poster_decoder_status decode_brotli(poster_decoder *decoder, const uint8_t *input, size_t *input_count,
                                                uint8_t *output, size_t *output_count) {
    size_t available = *input_count, room = *output_count;
    if (decoder->has_ended) {
        *output_count = 0;
        return POSTER_DECODER_COMPLETE;
    }
    BrotliDecoderResult result =
        BrotliDecoderDecompressStream(decoder->brotli, &available, &input, &room, &output, NULL);
    *input_count -= available;
    *output_count -= room;
    if (result == BROTLI_DECODER_RESULT_ERROR) {
        BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(decoder->brotli);
        bool is_memory = code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
                         code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
        return is_memory ? POSTER_DECODER_OUT_OF_MEMORY : POSTER_DECODER_DAMAGED;
    }
    decoder->has_ended = result == BROTLI_DECODER_RESULT_SUCCESS;
    return decoder->has_ended ? POSTER_DECODER_COMPLETE : POSTER_DECODER_INCOMPLETE;
}

enum poster_decoder_status poster_decoder_step(poster_decoder *decoder, const uint8_t *input, size_t *input_count,
                                               uint8_t *output, size_t *output_count) {
    if (decoder->coding == POSTER_DECODER_BROTLI) {
        return decode_brotli(decoder, input, input_count, output, output_count);
    }
    if (decoder->has_zlib) return inflate_some(decoder, input, input_count, output, output_count);
    return begin_deflate(decoder, input, input_count, output, output_count);
}
