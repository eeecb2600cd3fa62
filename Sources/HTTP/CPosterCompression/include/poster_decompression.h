#ifndef POSTER_DECOMPRESSION_H
#define POSTER_DECOMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define POSTER_DECODER_SWIFT_NAME(name) __attribute__((swift_name(#name)))

/// An incremental decoder of one content coding (RFC 9110, 8.4.1). Not thread-safe.
typedef struct poster_decoder poster_decoder;

enum poster_decoder_coding {
    /// One gzip member or several (RFC 1952).
    POSTER_DECODER_GZIP POSTER_DECODER_SWIFT_NAME(gzip) = 0,
    /// A zlib stream (RFC 1950), or a bare deflate stream (RFC 1951), which some servers send instead.
    POSTER_DECODER_DEFLATE POSTER_DECODER_SWIFT_NAME(deflate),
    /// A brotli stream (RFC 7932), with a window of at most 16 MiB.
    POSTER_DECODER_BROTLI POSTER_DECODER_SWIFT_NAME(brotli),
} __attribute__((enum_extensibility(closed)));

/// The result of a step.
enum poster_decoder_status {
    /// More input is needed, or more room for output.
    POSTER_DECODER_INCOMPLETE POSTER_DECODER_SWIFT_NAME(incomplete) = 0,
    /// The input may end here: everything is decoded, or only bytes after the end of the stream were skipped.
    POSTER_DECODER_COMPLETE POSTER_DECODER_SWIFT_NAME(complete),
    /// The input is not in the coding.
    POSTER_DECODER_DAMAGED POSTER_DECODER_SWIFT_NAME(damaged),
    POSTER_DECODER_OUT_OF_MEMORY POSTER_DECODER_SWIFT_NAME(outOfMemory),
} __attribute__((enum_extensibility(closed)));

/// Returns NULL if memory is exhausted.
poster_decoder *_Nullable poster_decoder_create(enum poster_decoder_coding coding);
void poster_decoder_destroy(poster_decoder *_Nullable decoder);

/// Decodes as much of `input` as fits into `output`, and sets `input_count` and `output_count` to the numbers of bytes
/// read and written. Call it again with the rest of the input, and, if `output` was filled, even without input.
/// `output` must have room for at least one byte.
enum poster_decoder_status poster_decoder_step(poster_decoder *decoder, const uint8_t *_Nullable input,
                                               size_t *input_count, uint8_t *output, size_t *output_count);

#pragma clang assume_nonnull end

#endif
